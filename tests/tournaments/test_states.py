"""The transition table of a tournament, and what the database refuses."""

import itertools

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from tests.tournaments.factories import announced
from tournaments import states
from tournaments.models import Tournament
from tournaments.services.locking import move_to

ALLOWED = {
    ("PROPOSED", "ANNOUNCED"), ("PROPOSED", "REJECTED"), ("ANNOUNCED", "RUNNING"),
    ("ANNOUNCED", "CANCELED"), ("RUNNING", "FINISHED"), ("RUNNING", "VOID"),
}  # fmt: skip


@pytest.mark.parametrize(
    ("before", "after"), list(itertools.product(Tournament.State.values, repeat=2))
)
def test_only_the_listed_changes_of_a_state_are_possible(before: str, after: str) -> None:
    if (before, after) in ALLOWED:
        states.check(before, after)
        return
    with pytest.raises(states.WrongTransition):
        states.check(before, after)


def test_every_state_of_the_model_is_in_the_table() -> None:
    assert set(states.TRANSITIONS) == set(Tournament.State.values)
    assert {"REJECTED", "CANCELED", "FINISHED", "VOID"} == states.OVER


@pytest.mark.django_db
def test_a_tournament_does_not_leave_a_final_state() -> None:
    tournament = announced()
    move_to(tournament, states.CANCELED, timezone.now())
    with pytest.raises(states.WrongTransition):
        move_to(tournament, states.RUNNING, timezone.now())


@pytest.mark.django_db
@pytest.mark.parametrize(
    "fields",
    [
        {"state": "RUNNING"},  # without the moment of the start
        {"state": "CANCELED"},  # without the moment of the end
        {"secret": "ab" * 32},  # before the draw
        {"min_entrants": 1},
        {"max_entrants": 3},
        {"max_entrants": 513},
        {"house_percent": 51},
        {"prize_credits": 10, "house_percent": 1},
        {"fee_credits": 100_001},
        {"extend_minutes": 0},
    ],
    ids=str,
)
def test_the_database_refuses_contradictions(fields: dict) -> None:
    tournament = announced()
    with pytest.raises(IntegrityError), transaction.atomic():
        Tournament.objects.filter(pk=tournament.pk).update(**fields)
