"""After a change of DICE_SEAL_KEY old keys open secrets; a secret that no key opens is lost."""

import json
import logging
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from games.engine.match.state import MatchCause, Phase
from games.engine.rules import Rules
from games.engine.sides import Side
from games.exports.match_file import export_of
from games.management.commands.checkreplays import find_fault
from games.models import Strike
from games.protocol.snapshots import state_frame
from games.services.deadlines import settle_due
from games.services.dice import KeyMissing, open_secret, seal, unseal
from tests.games.factories import MatchFactory, Sitting, StakeSitting
from tests.wallet.factories import total_of

pytestmark = pytest.mark.django_db

SECRET = bytes(range(32))


@pytest.fixture
def sitting(white, black) -> StakeSitting:
    return StakeSitting(white, black, stake=100, length=5).sit().start_game().both_move()


def lose_the_key(settings: Any) -> None:
    """Act as a process that was started without the key and with the option --lost-seal-key."""
    settings.DICE_SEAL_KEYS = ["another key"]
    settings.DICE_SEAL_KEYS_READ_AT = datetime.max.replace(tzinfo=UTC)
    settings.DICE_SEAL_KEY_IS_LOST = True


def totals(sitting: StakeSitting) -> tuple[int, int]:
    return total_of(sitting.users[Side.WHITE]), total_of(sitting.users[Side.BLACK])


def test_first_key_seals_secrets_and_every_key_opens_them(settings):
    settings.DICE_SEAL_KEYS = ["old"]
    sealed = seal(SECRET)
    settings.DICE_SEAL_KEYS = ["new", "old"]
    assert unseal(sealed) == SECRET
    sealed = seal(SECRET)
    settings.DICE_SEAL_KEYS = ["new"]
    assert unseal(sealed) == SECRET
    settings.DICE_SEAL_KEYS = ["old"]
    with pytest.raises(KeyMissing):
        unseal(sealed)


def test_a_match_goes_on_and_reveals_its_secret_under_a_new_key(settings, sitting):
    settings.DICE_SEAL_KEYS = ["new", *settings.DICE_SEAL_KEYS]
    for _ in range(6):
        sitting.act_simply()
    sitting.do("resign_match", side=Side.BLACK)
    assert sitting.state.proof.secret is not None


@pytest.mark.parametrize("command", ["roll", "resign_match"])
def test_a_process_that_missed_a_change_of_the_key_changes_nothing(settings, sitting, command):
    """The match was sealed with a new key while this process ran with the old one."""
    while sitting.state.phase is not Phase.TO_ROLL:
        sitting.act_simply()
    keys, seq = settings.DICE_SEAL_KEYS, sitting.match.seq
    settings.DICE_SEAL_KEYS = ["old"]
    settings.DICE_SEAL_KEYS_READ_AT = sitting.match.created_at
    settings.DICE_SEAL_KEY_IS_LOST = True  # declared because of other matches
    MatchFactory()  # the newest match is sealed with the old key
    with pytest.raises(KeyMissing):
        sitting.do(command, side=sitting.state.turn)
    sitting.match.refresh_from_db()
    assert sitting.match.seq == seq
    settings.DICE_SEAL_KEYS = keys
    sitting.do(command, side=sitting.state.turn)
    assert not sitting.match.actions.filter(verb__in=["void", "secret_lost"]).exists()


def test_match_is_not_void_without_its_key_until_the_key_is_declared_lost(settings, sitting):
    while sitting.state.phase is not Phase.TO_ROLL:
        sitting.act_simply()
    lose_the_key(settings)
    settings.DICE_SEAL_KEY_IS_LOST = False
    with pytest.raises(KeyMissing):
        sitting.do("roll", side=sitting.state.turn)
    assert sitting.state.phase is Phase.TO_ROLL
    settings.DICE_SEAL_KEY_IS_LOST = True
    sitting.do("roll", side=sitting.state.turn)
    assert sitting.state.outcome.cause is MatchCause.VOID


def test_a_process_with_a_wrong_key_neither_begins_nor_voids_a_match(settings, sitting):
    while sitting.state.phase is not Phase.TO_ROLL:
        sitting.act_simply()
    lose_the_key(settings)
    settings.DICE_SEAL_KEY_IS_LOST = False
    with pytest.raises(KeyMissing):
        MatchFactory()
    with pytest.raises(KeyMissing):
        sitting.do("roll", side=sitting.state.turn)
    assert sitting.state.phase is Phase.TO_ROLL


def test_key_counts_as_missing_and_not_as_lost_if_no_match_is_in_play(settings, sitting):
    sitting.do("resign_match", side=Side.BLACK)
    lose_the_key(settings)
    settings.DICE_SEAL_KEY_IS_LOST = False
    with pytest.raises(KeyMissing):
        open_secret(sitting.match.sealed_secret, sitting.match.created_at)


def test_the_last_entropy_is_kept_by_a_process_that_lacks_the_key(settings, white, black):
    keys = settings.DICE_SEAL_KEYS
    sitting = StakeSitting(white, black).sit()
    settings.DICE_SEAL_KEYS, settings.DICE_SEAL_KEYS_READ_AT = ["old"], sitting.match.created_at
    sitting.start_game()
    assert all(sitting.state.proof.entropy)
    assert sitting.state.phase is Phase.SEATING
    settings.DICE_SEAL_KEYS = keys
    sitting.now += timedelta(minutes=1)
    settle_due(sitting.now)
    assert not Strike.objects.exists()


def test_dropped_key_of_an_old_match_is_lost_once_a_match_began_with_another_key(settings, sitting):
    while sitting.state.phase is not Phase.TO_ROLL:
        sitting.act_simply()
    lose_the_key(settings)
    MatchFactory()
    settings.DICE_SEAL_KEY_IS_LOST = False  # started again, now without the option
    sitting.do("roll", side=sitting.state.turn)
    assert sitting.state.outcome.cause is MatchCause.VOID


def test_match_with_a_lost_secret_ends_and_pays_without_revealing_it(settings, sitting, caplog):
    lose_the_key(settings)
    with caplog.at_level(logging.ERROR):
        sitting.do("resign_match", side=Side.WHITE)
    assert totals(sitting) == (900, 1090)
    assert sitting.state.outcome.cause is MatchCause.RESIGN_MATCH
    verbs = list(sitting.match.actions.values_list("verb", flat=True))
    assert (verbs[-1], "reveal" in verbs) == ("secret_lost", False)
    assert "DICE_SEAL_KEY" in caplog.text
    assert find_fault(sitting.match) is None


def test_match_that_cannot_roll_any_more_is_void(settings, sitting):
    while sitting.state.phase is not Phase.TO_ROLL:
        sitting.act_simply()
    lose_the_key(settings)
    sitting.do("roll", side=sitting.state.turn)
    assert sitting.state.outcome.cause is MatchCause.VOID
    assert sitting.match.actions.get(verb="void").data["cause"] == "no_dice"
    assert totals(sitting) == (1000, 1000)
    assert find_fault(sitting.match) is None


def test_match_is_void_if_its_next_game_cannot_be_opened(settings, sitting):
    sitting.play_until(Phase.BETWEEN_GAMES)
    lose_the_key(settings)
    sitting.pass_time(20_000)
    settle_due(sitting.now)
    assert sitting.state.outcome.cause is MatchCause.VOID
    assert totals(sitting) == (1000, 1000)


def test_training_without_its_secret_is_void(settings):
    sitting = Sitting(Rules.of("short")).sit()
    lose_the_key(settings)
    sitting.start_game()
    assert sitting.state.outcome.cause is MatchCause.VOID


# --- Pages, files and commands that show the loss -------------------------------------------------


@pytest.fixture
def lost(settings, sitting) -> StakeSitting:
    lose_the_key(settings)
    sitting.do("resign_match", side=Side.WHITE)
    sitting.match.refresh_from_db()
    return sitting


def test_table_says_that_the_secret_is_lost(lost):
    view = state_frame(lost.public_id, Side.WHITE, -1, lost.now)["view"]
    assert (view["secret"], view["secret_lost"]) == (None, True)


def test_the_export_says_that_the_secret_is_lost(lost):
    assert export_of(lost.match)["dice"]["lost"] is True


def test_verifydice_says_that_the_dice_cannot_be_checked(lost, tmp_path):
    file = tmp_path / "match.json"
    file.write_text(json.dumps(export_of(lost.match)))
    with pytest.raises(CommandError, match="could not open the secret"):
        call_command("verifydice", str(file))


def test_file_with_a_false_claim_of_a_lost_secret_is_refused(sitting, tmp_path):
    sitting.do("resign_match", side=Side.WHITE)
    sitting.match.refresh_from_db()
    export = export_of(sitting.match)
    export["dice"] |= {"secret": None, "lost": True}
    file = tmp_path / "match.json"
    file.write_text(json.dumps(export))
    with pytest.raises(CommandError, match="does not agree"):
        call_command("verifydice", str(file))
