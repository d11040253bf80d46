"""Scenario 8: an export with a changed value is refused, apart from the exceptions below."""

import copy
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from games.engine.match.permissions import may_double, on_turn
from games.engine.sides import Side
from games.exports.match_file import export_of
from games.models import Match
from games.services import matches
from tests.games.factories import StakeSitting
from tests.wallet.factories import player

pytestmark = [pytest.mark.django_db, pytest.mark.both]

KeyPath = tuple[Any, ...]

# Parts that a file alone cannot prove, with the reason. If the site has the match, it compares them
# with its own, except those of CHANGEABLE.
UNPROVEN = {
    r"seats\..*": "names: an account may have another name today",
    r"created_at": "the date: nothing depends on it",
    r"actions\.\d+\.(at_ms|grace_ms)": "times: all ascending times fit",
    r"actions\.12:roll": "a removed roll that was not played: the game was resigned after it",
    r"actions\.\d+\.auto": "automatic or not: the play is the same",
    r"rules\.(head|block|hit|profile)": "a rule that affected no play of this match",
    r"rules\.(mars|koks|parity|crawford|length)": "a rule that affected no result of this match",
    r"rules\.(delay_ms|reserve_ms)": "a clock that did not run out",
}
# Parts that a member may have changed after the match. They are not compared with the site's match.
CHANGEABLE = r"seats\.(white|black)\.(name|kind)"


@pytest.fixture
def match(monkeypatch: pytest.MonkeyPatch) -> Match:
    """Play a match with a double, a refused and an accepted resignation; it is always the same."""
    monkeypatch.setattr(matches, "new_secret", lambda: bytes(range(32)))
    monkeypatch.setattr(matches, "new_public_id", lambda: "AbCdEf123456")
    sitting = (
        StakeSitting(player("white5"), player("black5"), stake=100, length=3).sit().start_game()
    )
    while not may_double(sitting.state, on_turn(sitting.state)):
        sitting.act_simply()
    side = on_turn(sitting.state)
    sitting.do("double", side=side)
    sitting.do("take", side=side.other)
    sitting.do("resign", side=side, factor=1)
    sitting.do("refuse", side=side.other)
    sitting.act_simply()
    sitting.do("resign", side=on_turn(sitting.state), factor=2)
    sitting.do("accept", side=on_turn(sitting.state))
    if sitting.state.outcome is None:
        for one in Side:
            sitting.do("next", side=one)
        sitting.do("resign_match", side=Side.BLACK)
    sitting.match.refresh_from_db()
    return sitting.match


def leaves(value: Any, path: KeyPath = ()) -> Iterator[KeyPath]:
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in inner:
        if isinstance(item, (dict, list)) and item:
            yield from leaves(item, (*path, key))
        else:
            yield (*path, key)


def others(value: Any) -> list[Any]:
    """Return values to replace this one: of the same type and of another."""
    if value is None:
        return ["00" * 32, 1, "white"]
    if isinstance(value, bool):
        return [not value, None]
    if isinstance(value, int):
        return [value % 6 + 1, value + 1, None]
    swapped = {"white": "black", "black": "white", "short": "long", "classic": "manual"}
    changed = ("1" if value[:1] == "0" else "0") + value[1:]
    return [swapped.get(value, changed), "", None]


def with_value(data: dict[str, Any], path: KeyPath, value: Any) -> dict[str, Any]:
    copied = copy.deepcopy(data)
    holder: Any = copied
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = value
    return copied


def without(data: dict[str, Any], path: KeyPath) -> dict[str, Any]:
    copied = with_value(data, path, None)
    holder: Any = copied
    for key in path[:-1]:
        holder = holder[key]
    del holder[path[-1]]
    return copied


class Forger:
    """Writes changed files and checks them with `manage.py verifydice`."""

    def __init__(self, folder: Path, capture: pytest.CaptureFixture[str]) -> None:
        self.path, self.capture = folder / "match.json", capture

    def refusal(self, data: dict[str, Any]) -> str:
        """Return the command's error about the file, "" if it accepts the file."""
        self.path.write_text(json.dumps(data), encoding="utf-8")
        self.capture.readouterr()
        try:
            call_command("verifydice", str(self.path))
        except CommandError as error:
            return f"{self.capture.readouterr().err}{error}"
        return ""


@pytest.fixture
def forger(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Forger:
    return Forger(tmp_path, capsys)


def tampered(data: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the path and the changed file for each changed value and each removed part."""
    for path in leaves(data):
        value = data
        for key in path:
            value = value[key]
        for other in others(value):
            if json.dumps(other) != json.dumps(value):
                yield ".".join(map(str, path)), with_value(data, path, other)
    for part in data:
        yield part, without(data, (part,))
    for number in range(len(data["actions"])):
        yield (
            f"actions.{number}:{data['actions'][number]['kind']}",
            without(data, ("actions", number)),
        )


def is_unproven(name: str) -> bool:
    return any(re.fullmatch(pattern, name) for pattern in UNPROVEN)


def test_08_file_alone_proves_all_but_the_listed_parts(match: Match, forger: Forger) -> None:
    data = export_of(match)
    # The site has no match with this id, so that the file is checked alone.
    Match.objects.filter(pk=match.pk).update(public_id="elsewhere123")
    assert forger.refusal(data) == ""
    passed, needed = [], dict.fromkeys(UNPROVEN, False)
    for name, file in tampered(data):
        refusal = forger.refusal(file)
        assert refusal or is_unproven(name), f"{name}: change not detected"
        if not refusal:
            passed.append(name)
    for name in passed:
        for pattern in needed:
            needed[pattern] |= bool(re.fullmatch(pattern, name))
    assert all(needed.values()), f"listed, but proven: {needed}"
    Match.objects.filter(pk=match.pk).update(public_id=match.public_id)


def test_08_any_change_is_detected_when_the_site_has_the_match(
    match: Match, forger: Forger
) -> None:
    data = export_of(match)
    assert forger.refusal(data) == ""
    for name, file in tampered(data):
        refusal = forger.refusal(file)
        if re.fullmatch(CHANGEABLE, name):
            assert refusal == "", f"{name}: may have changed since"
        else:
            assert refusal, f"{name}: change not detected"
            if "in the site's record" in refusal:  # the message begins with the changed part
                part = name.split(".")[0].split(":")[0]
                assert refusal.startswith(part), (name, refusal)


@pytest.mark.parametrize("part", ["dice", "result"])
def test_08_refusal_names_the_dice_or_result_that_is_left_out(
    match: Match, forger: Forger, part: str
) -> None:
    data = export_of(match)
    for file in (with_value(data, (part,), None), without(data, (part,))):
        assert f"{part} is left out of a finished match" in forger.refusal(file)
