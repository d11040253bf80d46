"""Scenario 7: draws for 2 to 64 entrants have no second bye, and their secret proves them."""

import random
from collections import Counter
from math import ceil, log2

import pytest

from tests.tournaments.checkers import is_right
from tests.tournaments.played import file_of, play_out, secrets_of
from tournaments.exports.draw_file import check_draw
from tournaments.formats import PlayedRound

SIZES = range(2, 65)
FORMATS = ("KNOCKOUT", "SWISS")  # the formats with byes


def drawn(format: str, size: int) -> tuple[bytes, list[PlayedRound]]:
    secret = next(secrets_of(f"scenario 7 {format} {size}"))
    return secret, play_out(format, size, secret, random.Random(size))


@pytest.mark.parametrize("format", FORMATS)
def test_nobody_has_two_byes(format: str) -> None:
    for size in SIZES:
        _, rounds = drawn(format, size)
        byes = Counter(each.first for played in rounds for each in played if each.second is None)
        assert all(count == 1 for count in byes.values()), (size, byes)


def test_a_knockout_has_byes_in_its_first_round_only_and_its_final_is_the_last_match() -> None:
    for size in SIZES:
        _, rounds = drawn("KNOCKOUT", size)
        assert len(rounds) == ceil(log2(size))
        assert len(rounds[-1]) == 1
        assert all(each.second for played in rounds[1:] for each in played), size
        matches = sum(each.second is not None for played in rounds for each in played)
        assert matches == size - 1, size


@pytest.mark.parametrize("format", FORMATS)
def test_each_draw_is_proved_by_its_secret_and_by_no_other(format: str) -> None:
    for size in SIZES:
        secret, rounds = drawn(format, size)
        data = file_of(format, size, secret, rounds)
        assert is_right(data)
        assert not check_draw(data).faults
        other = bytes([secret[0] ^ 1, *secret[1:]]).hex()
        assert not is_right(data | {"secret": other})
        assert check_draw(data | {"secret": other}).faults
