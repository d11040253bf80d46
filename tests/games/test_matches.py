"""Whole matches through the services."""

import pytest

from games.engine.rules import Rules
from games.engine.state import Phase
from games.models import Match
from tests.games.factories import Sitting, assert_log_folds, seatings

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("rules", list(seatings()), ids=str)
def test_a_match_is_played_to_its_end_and_its_log_folds_to_the_snapshot(rules: Rules) -> None:
    sitting = Sitting(rules).sit().shake().play_until(Phase.FINISHED)
    match = sitting.match
    match.refresh_from_db()
    assert match.outcome
    assert match.finished_at
    assert match.state.proof.secret is not None
    assert match.games.filter(finished_at__isnull=True).count() == 0
    assert match.wake_at is None
    assert_log_folds(match)


def test_the_secret_is_sealed_in_the_database_until_the_end() -> None:
    sitting = Sitting(Rules.of("short")).sit().shake()
    assert sitting.state.proof.secret is None
    sitting.play_until(Phase.FINISHED)
    secret = bytes.fromhex(sitting.state.proof.secret or "")
    assert secret not in bytes(Match.objects.get(pk=sitting.match.pk).sealed_secret)
