"""Management commands: check replays, verify dice, print matches."""

import io
import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from games.engine.formats import mat
from games.engine.formats.json_export import checked_state, from_export
from games.engine.match.state import Phase
from games.engine.rules import Rules
from games.exports import match_file
from games.management.commands import checkreplays
from games.models import Match
from games.services.guests import forget_guests
from tests.games.factories import Sitting

pytestmark = pytest.mark.django_db

Change = Callable[[dict[str, Any]], None]


def run(name: str, *arguments: Any, **options: Any) -> str:
    out = io.StringIO()
    call_command(name, *arguments, stdout=out, stderr=out, **options)
    return out.getvalue()


def failure(name: str, *arguments: Any) -> str:
    """Run a command, check that it fails, and return its output and error."""
    out = io.StringIO()
    with pytest.raises((CommandError, SystemExit)) as raised:
        call_command(name, *arguments, stdout=out, stderr=out)
    if isinstance(raised.value, SystemExit):
        assert raised.value.code == 1
        return out.getvalue()
    assert raised.value.returncode == 1
    return f"{out.getvalue()}{raised.value}"


def begun(variant: str = "short") -> Sitting:
    sitting = Sitting(Rules.of(variant, length=3, delay_ms=30_000)).sit().start_game()
    for _ in range(8):
        sitting.act_simply()
    return sitting


def ended_after_a_roll() -> Sitting:
    """Return a match that the guest has resigned just after a roll."""
    sitting = begun()
    while sitting.match.actions.order_by("seq").last().verb != "roll":
        sitting.act_simply()
        sitting.match.refresh_from_db()
    sitting.do("resign_match")
    return sitting


def export_file(sitting: Sitting, folder: Path, change: Change | None = None) -> Path:
    sitting.match.refresh_from_db()
    data = match_file.export_of(sitting.match)
    if change is not None:
        change(data)
    path = folder / "match.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


# --- checkreplays ---------------------------------------------------------------------------------


def test_checkreplays_accepts_logs_that_fold() -> None:
    begun("short")
    begun("long").do("resign_match")
    assert run("checkreplays") == "2 matches checked, 0 with a fault\n"


def test_checkreplays_names_a_snapshot_that_differs_from_its_log() -> None:
    good, bad = begun(), begun()
    bad.match.refresh_from_db()
    bad.match.snapshot["score"] = [1, 0]
    bad.match.save()
    report = failure("checkreplays")
    assert f"{bad.public_id}: the snapshot differs in score" in report
    assert good.public_id not in report
    assert "2 matches checked, 1 with a fault" in report


def run_sql(sql: str, *values: Any) -> None:
    """Run SQL directly, since the models refuse to change the log."""
    with connection.cursor() as cursor:
        cursor.execute(sql, values)


def test_checkreplays_finds_a_missing_action() -> None:
    sitting = begun()
    run_sql("DELETE FROM games_action WHERE match_id = %s AND seq = 6", sitting.match.pk)
    assert "not the actions 1 to" in failure("checkreplays", sitting.public_id)


def test_checkreplays_finds_a_log_that_breaks_a_rule() -> None:
    sitting = begun()
    run_sql(
        "UPDATE games_action SET data = %s WHERE match_id = %s AND seq = 6",
        json.dumps({"kind": "take", "at_ms": 0, "side": "white"}),
        sitting.match.pk,
    )
    assert "the log does not fold" in failure("checkreplays", sitting.public_id)


def test_checkreplays_checks_a_match_again_that_is_played_meanwhile() -> None:
    sitting = Sitting(Rules.of("short")).sit().start_game()
    read_before = Match.objects.get(pk=sitting.match.pk)
    sitting.do("resign_match")
    assert checkreplays.find_fault(read_before)
    assert checkreplays.find_lasting_fault(read_before) is None


def test_checkreplays_passes_over_a_match_that_is_deleted_meanwhile() -> None:
    Sitting(Rules.of("short")).sit().start_game()
    read_before = Match.objects.get()
    soon = timezone.now() + timedelta(days=1)
    assert forget_guests(soon, soon) == 1
    assert checkreplays.find_lasting_fault(read_before) is None


def test_checkreplays_checks_only_the_given_matches() -> None:
    asked, _other = begun(), begun()
    assert run("checkreplays", asked.public_id).startswith("1 matches")


def test_unknown_match_is_reported() -> None:
    for name in ("checkreplays", "exportmatch"):
        assert "no such match: nonesuch" in failure(name, "nonesuch")


# --- verifydice -----------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", ["short", "long"])
def test_verifydice_confirms_the_dice_of_a_whole_match(variant: str, tmp_path: Path) -> None:
    sitting = Sitting(Rules.of(variant)).sit().start_game().play_until(Phase.FINISHED)
    rolls = sitting.match.actions.filter(verb__in=["opening", "roll"]).count()
    printed = run("verifydice", str(export_file(sitting, tmp_path)))
    assert printed == (
        f"All {rolls} rolls are what was promised.\nThe file is what this site has on record.\n"
    )


def last_roll(data: dict[str, Any]) -> dict[str, Any]:
    return next(action for action in reversed(data["actions"]) if action["kind"] == "roll")


def test_verifydice_names_a_roll_that_does_not_follow_from_the_secret(tmp_path: Path) -> None:
    def turn_a_die(data: dict[str, Any]) -> None:
        roll = last_roll(data)
        roll["d1"] = roll["d1"] % 6 + 1

    output = failure("verifydice", str(export_file(ended_after_a_roll(), tmp_path, turn_a_die)))
    assert "1 of " in output
    assert "NOT what was promised" in output
    assert "logged" in output


def other_hex(text: str) -> str:
    return ("0" if text[0] != "0" else "1") + text[1:]


def change_secret(data: dict[str, Any]) -> None:
    data["dice"]["secret"] = other_hex(data["dice"]["secret"])


def change_secret_everywhere(data: dict[str, Any]) -> None:
    change_secret(data)
    data["actions"][-1]["secret"] = data["dice"]["secret"]


def change_entropy(data: dict[str, Any]) -> None:
    entropy = next(action for action in data["actions"] if action["kind"] == "entropy")
    entropy["hex"] = data["dice"]["white_entropy"] = other_hex(entropy["hex"])


def change_the_id(data: dict[str, Any]) -> None:
    data["id"] = "AnotherMatch"


def change_a_play(data: dict[str, Any]) -> None:
    play = next(action for action in data["actions"] if action["kind"] == "play")
    play["text"] = "24/23 24/23"


def drop_an_action(data: dict[str, Any]) -> None:
    del data["actions"][5]


def change_the_winner(data: dict[str, Any]) -> None:
    data["result"]["winner"] = "white"


def add_a_field(data: dict[str, Any]) -> None:
    data["actions"][0]["note"] = "trust me"


def change_the_format(data: dict[str, Any]) -> None:
    data["format"] = "somebody-elses"


@pytest.mark.parametrize(
    "change",
    [
        change_secret,
        change_secret_everywhere,
        change_entropy,
        change_the_id,
        change_a_play,
        drop_an_action,
        change_the_winner,
        add_a_field,
        change_the_format,
    ],
)
def test_verifydice_refuses_a_changed_file(change: Change, tmp_path: Path) -> None:
    output = failure("verifydice", str(export_file(ended_after_a_roll(), tmp_path, change)))
    assert "does not hold" in output or "NOT what was promised" in output


def test_verifydice_refuses_a_running_match(tmp_path: Path) -> None:
    output = failure("verifydice", str(export_file(begun(), tmp_path)))
    assert "the secret is revealed when the match is over" in output


@pytest.mark.parametrize("text", ["", "{", "[1, 2]", "null", '{"format": 1}', "[" * 100_000])
def test_verifydice_refuses_a_file_that_is_not_an_export(text: str, tmp_path: Path) -> None:
    path = tmp_path / "match.json"
    path.write_text(text)
    assert str(path) in failure("verifydice", str(path))


def test_verifydice_refuses_a_missing_or_binary_file(tmp_path: Path) -> None:
    path = tmp_path / "match.json"
    assert "cannot read" in failure("verifydice", str(path))
    path.write_bytes(b"\xff\xfe\x00")
    assert str(path) in failure("verifydice", str(path))


# --- exportmatch ----------------------------------------------------------------------------------


def test_exportmatch_prints_every_format() -> None:
    sitting = begun()
    printed = json.loads(run("exportmatch", sitting.public_id))
    assert checked_state(from_export(printed)) == sitting.state
    assert run("exportmatch", sitting.public_id, format="mat") == mat.dump(printed)
    longer = begun("long")
    assert longer.public_id in run("exportmatch", longer.public_id, format="txt")


@pytest.mark.parametrize(("variant", "form"), [("short", "txt"), ("long", "mat")])
def test_exportmatch_refuses_the_format_of_the_other_variant(variant: str, form: str) -> None:
    output = failure("exportmatch", begun(variant).public_id, "--format", form)
    assert f"a {variant} match has no {form} form" in output
