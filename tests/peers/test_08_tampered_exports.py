"""An export that was tampered with is refused, whichever of its values was changed."""

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
from tests.lobby.factories import StakeSitting, player

pytestmark = pytest.mark.django_db

Path_ = tuple[Any, ...]

# What a file cannot prove by itself, and why. Where the match is on record all of it is compared.
UNPROVEN = {
    r"seats\..*": "who played: a name is the account's affair and may be another today",
    r"created_at": "a date: nothing follows from it",
    r"actions\.\d+\.(at_ms|grace_ms)": "times: any that do not run backwards fit",
    r"actions\.12:roll": "a roll left out that nobody played: the game was given up after it",
    r"actions\.\d+\.auto": "who pressed the button: the same play either way",
    r"rules\.(head|block|hit|profile)": "a rule that no play of this match ran into",
    r"rules\.(mars|koks|parity|crawford|length)": "a rule that changed no result of this match",
    r"rules\.(delay_ms|reserve_ms)": "a clock that ran out for nobody",
}
# And what is compared with the record neither.
OF_TODAY = r"seats\.(white|black)\.(name|kind)"


@pytest.fixture
def match(monkeypatch: pytest.MonkeyPatch) -> Match:
    """A finished match with a double, a resignation refused and one accepted; always the same."""
    monkeypatch.setattr(matches, "new_secret", lambda: bytes(range(32)))
    monkeypatch.setattr(matches, "new_public_id", lambda: "AbCdEf123456")
    sitting = StakeSitting(player("white5"), player("black5"), stake=100, length=3).sit().shake()
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


def leaves(value: Any, path: Path_ = ()) -> Iterator[Path_]:
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in inner:
        if isinstance(item, (dict, list)) and item:
            yield from leaves(item, (*path, key))
        else:
            yield (*path, key)


def others(value: Any) -> list[Any]:
    """Values that somebody could write instead, of the same kind and of none."""
    if value is None:
        return ["00" * 32, 1, "white"]
    if isinstance(value, bool):
        return [not value, None]
    if isinstance(value, int):
        return [value % 6 + 1, value + 1, None]
    swapped = {"white": "black", "black": "white", "short": "long", "classic": "manual"}
    changed = ("1" if value[:1] == "0" else "0") + value[1:]
    return [swapped.get(value, changed), "", None]


def with_other(data: dict[str, Any], path: Path_, value: Any) -> dict[str, Any]:
    copied = copy.deepcopy(data)
    holder: Any = copied
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = value
    return copied


def without(data: dict[str, Any], path: Path_) -> dict[str, Any]:
    copied = with_other(data, path, None)
    holder: Any = copied
    for key in path[:-1]:
        holder = holder[key]
    del holder[path[-1]]
    return copied


class Forger:
    """Writes the changed files and asks `manage.py verifydice` about them."""

    def __init__(self, folder: Path, capture: pytest.CaptureFixture[str]) -> None:
        self.path, self.capture = folder / "match.json", capture

    def refusal(self, data: dict[str, Any]) -> str:
        """What the command says against the file; "" when it finds nothing."""
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
    """Every value changed to each of its others, and every part left out, by its path."""
    for path in leaves(data):
        value = data
        for key in path:
            value = value[key]
        for other in others(value):
            if json.dumps(other) != json.dumps(value):
                yield ".".join(map(str, path)), with_other(data, path, other)
    for part in data:
        yield part, without(data, (part,))
    for number in range(len(data["actions"])):
        yield (
            f"actions.{number}:{data['actions'][number]['kind']}",
            without(data, ("actions", number)),
        )


def listed(name: str) -> bool:
    return any(re.fullmatch(pattern, name) for pattern in UNPROVEN)


def test_08_and_a_file_alone_proves_all_but_what_is_listed(match: Match, forger: Forger) -> None:
    """The site that is asked has no such match: the file must hold by itself."""
    data = export_of(match)
    Match.objects.filter(pk=match.pk).update(public_id="elsewhere123")
    assert forger.refusal(data) == ""
    passed, needed = [], dict.fromkeys(UNPROVEN, False)
    for name, file in tampered(data):
        told = forger.refusal(file)
        assert told or listed(name), f"{name}: nobody noticed"
        if not told:
            passed.append(name)
    for name in passed:
        for pattern in needed:
            needed[pattern] |= bool(re.fullmatch(pattern, name))
    assert all(needed.values()), f"is proven after all: {needed}"
    Match.objects.filter(pk=match.pk).update(public_id=match.public_id)


def test_08_and_where_the_match_is_on_record_nothing_at_all_can_be_changed(
    match: Match, forger: Forger
) -> None:
    data = export_of(match)
    assert forger.refusal(data) == ""
    for name, file in tampered(data):
        told = forger.refusal(file)
        if re.fullmatch(OF_TODAY, name):
            assert told == "", f"{name}: may be another today"
        else:
            assert told, f"{name}: nobody noticed"
            if "in the site's record" in told:  # said by its place in the file, counted from one
                kind = name.split(".")[0].split(":")[0]
                assert told.startswith(kind), (name, told)


@pytest.mark.parametrize("part", ["dice", "result"])
def test_08_and_a_file_silent_about_its_dice_or_result_is_named(
    match: Match, forger: Forger, part: str
) -> None:
    data = export_of(match)
    for file in (with_other(data, (part,), None), without(data, (part,))):
        assert f"{part} is left out of a finished match" in forger.refusal(file)
