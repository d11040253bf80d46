"""Pairing of people who wait, by examples and against every possible way to pair them."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lobby.pairing import ANY_AFTER_S, Waiting, distance, fit, may_meet, pair_up
from tests.support.lengths import length

PEOPLE = "abcdefg"


def one(person: str = "a", **fields: object) -> Waiting:
    values = {"key": ord(person), "person": person, "terms": "short 1", "waited_s": 0.0, **fields}
    return Waiting(**values)  # type: ignore[arg-type]


def pairs_of(*waiting: Waiting) -> list[str]:
    return sorted("".join(sorted(a.person + b.person)) for a, b in pair_up(waiting))


def test_two_people_are_paired_at_once() -> None:
    assert pairs_of(one("a"), one("b")) == ["ab"]


def test_the_nearest_rating_is_chosen() -> None:
    assert pairs_of(one("a", waited_s=9), one("b", rating=1580), one("c", rating=1520)) == ["ac"]


def test_the_longest_wait_chooses_first() -> None:
    a, b, c = one("a"), one("b", waited_s=3, rating=1590), one("c", rating=1510)
    assert pairs_of(a, b, c) == ["bc"]


def test_the_range_widens_with_the_wait() -> None:
    near, far = one("a"), one("b", rating=1900)
    assert pairs_of(near, far) == []
    assert pairs_of(replace(near, waited_s=14.9), far) == []
    assert pairs_of(replace(near, waited_s=15.0), far) == ["ab"]
    assert pairs_of(replace(near, waited_s=ANY_AFTER_S), one("b", rating=9000)) == ["ab"]


def test_people_with_other_terms_are_not_paired() -> None:
    assert pairs_of(one("a", waited_s=999), one("b", terms="long 1", waited_s=999)) == []


def test_a_block_by_either_keeps_two_people_apart() -> None:
    blocking, blocked = one("a", waited_s=999, apart_from=frozenset("b")), one("b", waited_s=999)
    assert pairs_of(blocking, blocked) == []
    assert not may_meet(blocking, blocked)
    assert not may_meet(blocked, blocking)


def test_nobody_is_paired_with_themselves() -> None:
    assert pairs_of(one("a"), one("a", key=1)) == []


@pytest.mark.parametrize("is_staked", [True, False])
def test_people_of_one_device_are_never_paired_for_credits(is_staked: bool) -> None:
    two = [one(p, devices=frozenset("d"), is_staked=is_staked, waited_s=99) for p in "ab"]
    assert pairs_of(*two) == ([] if is_staked else ["ab"])


@pytest.mark.parametrize(
    ("history", "pairs"), [((True, True), ["ab"]), ((True, False), []), ((False, False), [])]
)
def test_people_of_one_network_meet_for_credits_only_if_both_have_a_history(
    history: tuple[bool, bool], pairs: list[str]
) -> None:
    two = [
        one(person, networks=frozenset("n"), is_staked=True, has_history=has)
        for person, has in zip("ab", history, strict=True)
    ]
    assert pairs_of(*two) == pairs


def test_no_third_match_in_a_row_while_others_wait() -> None:
    a, b = one("a", last_met=("b", "b"), waited_s=5), one("b", last_met=("a", "a"))
    assert pairs_of(a, b) == ["ab"]
    # The rating of c is too far off for now, but a or b can meet c later.
    assert pairs_of(a, b, one("c", rating=2500)) == []
    assert pairs_of(a, b, one("c", rating=1550)) == ["ac"]
    assert pairs_of(a, b, one("c", terms="long 1")) == ["ab"]
    assert pairs_of(replace(a, last_met=("b", "c")), b, one("c", rating=2500)) == ["ab"]


waiting_people = st.lists(
    st.builds(
        Waiting,
        key=st.just(0),
        person=st.just(""),
        terms=st.sampled_from(["x", "x", "x", "y"]),
        waited_s=st.sampled_from([0.0, 3.0, 8.0, 20.0, 60.0]),
        rating=st.integers(1200, 1800).map(float),
        is_staked=st.just(True),
        apart_from=st.frozensets(st.sampled_from(PEOPLE), max_size=1),
        last_met=st.lists(st.sampled_from(PEOPLE[:3]), max_size=2).map(tuple),
        devices=st.frozensets(st.sampled_from("123456"), max_size=1),
        networks=st.frozensets(st.sampled_from("123"), max_size=1),
        has_history=st.booleans(),
    ),
    max_size=len(PEOPLE),
).map(lambda rows: [replace(row, key=n, person=PEOPLE[n]) for n, row in enumerate(rows)])


def all_pairings(people: list[Waiting]) -> Iterator[list[tuple[Waiting, Waiting]]]:
    """Yield every way to pair some of the people."""
    if not people:
        yield []
        return
    first, *rest = people
    yield from all_pairings(rest)
    for other in rest:
        left = [person for person in rest if person is not other]
        for pairs in all_pairings(left):
            yield [(first, other), *pairs]


def is_allowed(a: Waiting, b: Waiting, people: list[Waiting]) -> bool:
    """Return whether the two may be paired, without the code of `lobby/pairing.py`."""

    def apart(p: Waiting, q: Waiting) -> bool:
        return (
            p.terms != q.terms
            or q.person in p.apart_from
            or p.person in q.apart_from
            or bool(p.devices & q.devices)
            or (bool(p.networks & q.networks) and not (p.has_history and q.has_history))
        )

    waited_s = max(a.waited_s, b.waited_s)
    if apart(a, b) or (waited_s < 45 and abs(a.rating - b.rating) > 100 + 20 * waited_s):
        return False
    is_third = a.last_met == (b.person,) * 2 and b.last_met == (a.person,) * 2
    others = [c for c in people if c is not a and c is not b]
    return not (is_third and any(not apart(a, c) or not apart(b, c) for c in others))


def quality(pairs: list[tuple[Waiting, Waiting]], people: list[Waiting]) -> list[tuple[float, ...]]:
    """Rank each person's partner, the longest wait first; lower is better, no partner is worst."""
    partner = {a.key: b for a, b in pairs} | {b.key: a for a, b in pairs}
    order = sorted(people, key=lambda p: (-p.waited_s, p.key))
    return [
        (abs(p.rating - partner[p.key].rating), -partner[p.key].waited_s, partner[p.key].key)
        if p.key in partner
        else (float("inf"),)
        for p in order
    ]


@settings(max_examples=length(300, 5000), deadline=None)
@given(waiting_people)
def test_pairs_are_the_best_of_all_possible_ones(people: list[Waiting]) -> None:
    allowed = [
        pairs for pairs in all_pairings(people) if all(is_allowed(a, b, people) for a, b in pairs)
    ]
    best = min(allowed, key=lambda pairs: quality(pairs, people))
    found = pair_up(people)
    assert quality(found, people) == quality(best, people)
    assert len({p.key for pair in found for p in pair}) == 2 * len(found)


@settings(max_examples=length(300, 5000), deadline=None)
@given(waiting_people)
def test_no_two_people_who_fit_are_left_over(people: list[Waiting]) -> None:
    paired = {p.key for pair in pair_up(people) for p in pair}
    left = [p for p in people if p.key not in paired]
    assert not any(fit(a, b, people) for a in left for b in left if a is not b)


@given(waiting_people)
def test_rules_are_the_same_from_both_sides(people: list[Waiting]) -> None:
    for a in people:
        for b in people:
            assert may_meet(a, b) == may_meet(b, a)
            assert distance(a, b) == distance(b, a)
            assert fit(a, b, people) == fit(b, a, people)
