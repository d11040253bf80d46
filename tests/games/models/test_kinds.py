"""The kinds of matches: code asks a kind's policy and never compares the kind's name."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.shared.transactions import write_transaction
from games.engine.rules import Rules
from games.engine.sides import Side
from games.models import Match
from games.models.actor import Actor
from games.models.kind import KINDS, STAKE, TRAINING, Category, kind_choices, kinds_where
from games.services import matches
from tests.games.factories import Sitting, StakeSitting
from tests.support.apps import APPS
from tests.wallet.factories import player

ROOT = Path(__file__).parents[3]
# Files that may name a kind. They hold the policies, the functions that create matches, the check
# constraint games_match_stake (a test below compares it with the policies), and the manual's
# figures, which come from the policies.
MAY_NAME_KINDS = {
    "config/manual/figures.py",
    "games/models/kind.py",
    "games/models/match.py",
    "games/services/matches.py",
}
LEVELS = {Side.WHITE: "casual", Side.BLACK: "casual"}
CODES = {code for kind in KINDS for code in (kind, kind.lower())}


def test_each_policy_is_found_by_its_code() -> None:
    assert all(kind.code == code for code, kind in KINDS.items())
    assert kinds_where(lambda kind: True) == list(KINDS)
    assert kinds_where(lambda kind: False) == []


def test_codes_fit_the_column() -> None:
    longest = Match._meta.get_field("kind").max_length
    assert all(len(code) <= longest for code in KINDS)


@pytest.mark.parametrize("path", ["games/protocol.schema.json", "games/protocol/README.md"])
def test_the_protocol_describes_each_kind(path: str) -> None:
    text = (ROOT / path).read_text()
    assert [code for code in KINDS if f"`{code.lower()}`" not in text] == []


def test_the_matches_of_tournaments_are_counted_as_such() -> None:
    for kind in KINDS.values():
        assert kind.is_of_tournament == (kind.category is Category.TOURNAMENT)


def test_only_matches_with_one_person_may_pause() -> None:
    """Pauses are counted per match, so one of two players could use up all of them."""
    assert all(kind.has_bot for kind in KINDS.values() if kind.may_pause or kind.waits_for_player)


def test_no_match_against_the_computer_is_rated() -> None:
    assert kinds_where(lambda kind: kind.may_seat_bots and kind.is_rated) == []
    assert kinds_where(lambda kind: kind.has_bot and not kind.may_seat_bots) == []


@pytest.mark.django_db
def test_match_is_stored_with_its_kind_and_has_its_policy() -> None:
    training = Sitting(Rules.of("short", length=1)).match
    stake = StakeSitting(player("white5"), player("black5")).match
    stored = dict(Match.objects.values_list("pk", "kind"))
    assert stored == {training.pk: "TRAINING", stake.pk: "STAKE"}
    assert Match.objects.get(pk=training.pk).policy is TRAINING
    assert Match.objects.get(pk=stake.pk).policy is STAKE


def test_a_new_kind_needs_no_migration() -> None:
    _name, _path, _args, options = Match._meta.get_field("kind").deconstruct()
    assert options["choices"] is kind_choices


@pytest.mark.django_db
@pytest.mark.parametrize("kind", KINDS.values(), ids=list(KINDS))
def test_the_database_accepts_stakes_for_staked_kinds_only(kind) -> None:
    match = Sitting(Rules.of("short", length=1)).match
    fields = {"kind": kind.code, "stake_credits": 10, "rake_credits": 1}
    if kind.is_staked:
        Match.objects.filter(pk=match.pk).update(**fields)
        return
    with pytest.raises(IntegrityError), transaction.atomic():
        Match.objects.filter(pk=match.pk).update(**fields)


@pytest.mark.django_db
def test_rules_without_a_clock_are_refused_for_a_kind_that_needs_one() -> None:
    terms = matches.Terms(Rules.of("short", length=1), 100, 10)
    with write_transaction(), pytest.raises(ValueError, match="needs a clock"):
        matches.create_between(STAKE, terms, {}, timezone.now())


@pytest.mark.django_db
def test_guest_gets_no_seat_in_a_match_for_members() -> None:
    terms = matches.Terms(Rules.of("short", length=1, delay_ms=20_000), 100, 10)
    with write_transaction(), pytest.raises(ValueError, match="no guest"):
        matches.create_between(STAKE, terms, {Side.WHITE: Actor(guest=uuid4())}, timezone.now())


@pytest.mark.django_db
@pytest.mark.parametrize("kind", KINDS.values(), ids=list(KINDS))
def test_only_kinds_that_may_seat_bots_get_a_bot(kind) -> None:
    stakes = (100, 10) if kind.is_staked else (0, 0)
    terms = matches.Terms(Rules.of("short", length=1, delay_ms=20_000), *stakes)
    with write_transaction():
        if kind.may_seat_bots:
            match = matches.create_between(kind, terms, {}, timezone.now(), bots=LEVELS)
            assert match.seats.exclude(bot="").count() == 2
            return
        with pytest.raises(ValueError, match="no bot"):
            matches.create_between(kind, terms, {}, timezone.now(), bots=LEVELS)


def test_no_python_code_compares_the_name_of_a_kind() -> None:
    found = [
        f"{path}:{line}"
        for path in sorted(_sources())
        for line in _named_in(ast.parse((ROOT / path).read_text()))
    ]
    assert found == []


def test_no_template_and_no_script_compares_the_name_of_a_kind() -> None:
    names = "|".join(sorted(CODES))
    pattern = re.compile(
        rf"""\bkind\s*[!=]==?\s*["'](?:{names})["']|["'](?:{names})["']\s*[!=]==?"""
    )
    files = [*ROOT.glob("templates/**/*.html"), *ROOT.glob("static/js/**/*.js")]
    assert len(files) > 100
    found = [str(path.relative_to(ROOT)) for path in files if pattern.search(path.read_text())]
    assert found == []


@pytest.mark.parametrize(
    "text",
    [
        'match.kind == "TRAINING"',
        'OURS = "TRAINING"; match.kind == OURS',
        'FIRST, SECOND = "STAKE", "FRIENDLY"; chosen["kind"] != SECOND',
        'OURS = ("TRAINING", "STAKE"); match.kind in OURS',
        'OURS = "STAKE"; Match.objects.filter(kind=OURS)',
        'frame["kind"] in ("stake", "other")',
        'Match.objects.filter(kind="STAKE")',
        'Seat.objects.exclude(match__kind__in=["TRAINING"])',
        "from games.models.kind import STAKE",
        "match.policy is kind.TRAINING",
    ],
)
def test_use_of_a_kinds_name_is_found(text) -> None:
    assert list(_named_in(ast.parse(text))) == [1]


@pytest.mark.parametrize(
    "text",
    [
        'register(stakes.STAKE, "stake")',
        "match.policy.is_staked",
        'field == "delay"',
        'STAKE = "stake"; chosen["mode"] == STAKE',
        'STAKE, DELAY = "stake", "delay"; cause.kind == DELAY',
    ],
)
def test_words_that_only_look_like_a_kinds_name_are_ignored(text) -> None:
    assert list(_named_in(ast.parse(text))) == []


def _sources() -> Iterator[str]:
    for app in APPS:
        for path in (ROOT / app).rglob("*.py"):
            name = path.relative_to(ROOT).as_posix()
            if "/migrations/" not in name and name not in MAY_NAME_KINDS:
                yield name


def _named_in(tree: ast.Module) -> Iterator[int]:
    """Yield the lines that compare a kind with a name, filter by a name or import a policy.

    A name may also stand in a constant of the module.
    """
    constants = _constants_with_a_code(tree)
    for node in ast.walk(tree):
        match node:
            case ast.Compare() if _writes_a_code(node):
                yield node.lineno
            case ast.Compare() if _uses(node, constants) and "kind" in ast.unparse(node):
                yield node.lineno
            case ast.keyword(arg=str(name)) if name.removesuffix("__in").endswith("kind"):
                if _writes_a_code(node.value) or _uses(node.value, constants):
                    yield node.value.lineno
            case ast.ImportFrom(module="games.models.kind") if _names(node) & set(KINDS):
                yield node.lineno
            case ast.Attribute(value=ast.Name(id="kind" | "kinds"), attr=attr) if attr in KINDS:
                yield node.lineno


def _writes_a_code(tree: ast.AST) -> bool:
    constants = (node for node in ast.walk(tree) if isinstance(node, ast.Constant))
    return any(constant.value in CODES for constant in constants)


def _constants_with_a_code(tree: ast.Module) -> set[str]:
    """Return the module's constants whose value, or a part of it, is the name of a kind."""
    found: set[str] = set()
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
                pairs = zip(targets, values, strict=True)
            case ast.Assign(targets=[target], value=value):
                pairs = zip([target], [value], strict=True)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                pairs = zip([target], [value], strict=True)
            case _:
                continue
        found |= {ast.unparse(target) for target, value in pairs if _writes_a_code(value)}
    return found


def _uses(tree: ast.AST, constants: set[str]) -> bool:
    return any(isinstance(node, ast.Name) and node.id in constants for node in ast.walk(tree))


def _names(node: ast.ImportFrom) -> set[str]:
    return {alias.name for alias in node.names}
