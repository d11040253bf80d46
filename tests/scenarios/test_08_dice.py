"""Scenario 8: dice are fair, independent, reproducible and unpredictable.

The rolls come from `dice.roll` with keys of `dice.match_key`, as in a match. The keys are fixed, so
that every run has the same result. Of a million fair streams about one exceeds a given bound.
"""

import hashlib
from collections.abc import Iterator
from math import sqrt

import numpy as np
import pytest
from django.conf import settings

from games.engine import dice
from games.engine.formats.dice_check import check_dice
from games.engine.formats.json_export import from_export
from games.engine.match.state import Phase
from games.exports.match_file import export_of
from games.services.dice import next_roll, unseal
from tests.games.factories import StakeSitting
from tests.support.lengths import length
from tests.wallet.factories import player

# The dice do not depend on the database: a run of all tests on PostgreSQL would only repeat this.
__test__ = settings.DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3"

# Two million rolls reveal a fault of the size of the negative control below.
ROLLS = length(2_000_000, 10_000_000)
# Typical numbers of rolls in a game and games in a match.
GAME, MATCH = 100, 10
ID = "AbCdEf123456"
WHITE, BLACK = bytes(range(16)), bytes(range(16, 32))
# Bound that a normal variable exceeds once in a million. The bound of the chi-square follows from
# it by Wilson and Hilferty's approximation: at most 5 % too high for 5 or more degrees of freedom.
SIGMAS = 4.75


def most_chi_square(freedom: int) -> float:
    return freedom * (1 - 2 / (9 * freedom) + SIGMAS * sqrt(2 / (9 * freedom))) ** 3


def chi_square(counts: np.ndarray) -> float:
    expected = counts.sum() / counts.size
    return float(((counts - expected) ** 2).sum() / expected)


def secret_of(number: int) -> bytes:
    return hashlib.sha256(b"secret %d" % number).digest()


def entropy_of(number: int, side: str) -> bytes:
    return hashlib.sha256(f"{side} {number}".encode()).digest()[:16]


def dealt(rolls: int) -> Iterator[int]:
    """Yield the rolls of match after match as numbers 0 to 35: 6 * first die + second die - 7."""
    match = 0
    while True:
        parts = secret_of(match), ID, entropy_of(match, "white"), entropy_of(match, "black")
        key = dice.match_key(*parts)
        for game in range(1, MATCH + 1):
            for number in range(1, GAME + 1):
                first, second = dice.roll(key, game, number)
                yield first * 6 + second - 7
                rolls -= 1
                if not rolls:
                    return
        match += 1


@pytest.mark.slow
def test_08_millions_of_rolls_are_uniform_and_independent() -> None:
    pairs = np.fromiter(dealt(ROLLS), dtype=np.uint8, count=ROLLS)
    first, second = pairs // 6, pairs % 6
    tests = {
        "single dice": np.bincount(np.concatenate([first, second]), minlength=6),
        "first dice": np.bincount(first, minlength=6),
        "second dice": np.bincount(second, minlength=6),
        "pairs in order": np.bincount(pairs, minlength=36),
        "die after die": np.bincount(second[:-1] * 6 + first[1:], minlength=36),
        "roll after roll": np.bincount(pairs[:-1].astype(np.int32) * 36 + pairs[1:]),
        "the roll after the next": np.bincount(pairs[:-2].astype(np.int32) * 36 + pairs[2:]),
        "the same roll a game later": np.bincount(
            pairs[:-GAME].astype(np.int32) * 36 + pairs[GAME:]
        ),
    }
    found = {name: (chi_square(counts), counts.size) for name, counts in tests.items()}
    for name, (value, size) in found.items():
        assert value < most_chi_square(size - 1), (name, value, size)
        assert value > 0, name
    doublets = int((first == second).sum())
    assert abs(doublets - ROLLS / 6) < SIGMAS * sqrt(ROLLS * 5 / 36)
    for one, other in ((first, second), (first[:-1], first[1:]), (second[:-1], first[1:])):
        assert abs(np.corrcoef(one, other)[0, 1]) < SIGMAS / sqrt(ROLLS)


def test_08_statistics_detect_unfair_dice() -> None:
    """Check, as a negative control, that common faults too small for players to see are found."""
    rng = np.random.default_rng(8)
    faces = rng.integers(0, 6, 2_000_000)
    assert chi_square(np.bincount(faces)) < most_chi_square(5)
    modulo = rng.integers(0, 256, 2_000_000) % 6  # modulo without rejecting bytes above 251
    assert chi_square(np.bincount(modulo)) > most_chi_square(5)
    clinging = np.where(rng.random(faces.size) < 0.01, np.roll(faces, 1), faces)
    assert chi_square(np.bincount(clinging[:-1] * 6 + clinging[1:])) > most_chi_square(35)


# --- unpredictable -------------------------------------------------------------------------------

MANY = 30_000


def stream(secret: bytes, white: bytes, black: bytes, match_id: str = ID) -> np.ndarray:
    """Return the first `MANY` rolls of a match's first game, as numbers 0 to 35."""
    key = dice.match_key(secret, match_id, white, black)
    rolls = [dice.roll(key, 1, number) for number in range(1, MANY + 1)]
    return np.array([first * 6 + second - 7 for first, second in rolls])


def one_bit_off(data: bytes, bit: int) -> bytes:
    return (int.from_bytes(data) ^ 1 << bit).to_bytes(len(data))


def assert_independent(one: np.ndarray, other: np.ndarray) -> None:
    """Assert that the streams agree by chance only, in one roll of 36."""
    agreed = int((one == other).sum())
    assert abs(agreed - MANY / 36) < SIGMAS * sqrt(MANY * 35) / 36, agreed
    joint = np.bincount(one * 36 + other, minlength=36 * 36)
    assert chi_square(joint) < most_chi_square(36 * 36 - 1)


def test_08_one_bit_of_either_entropy_gives_independent_rolls() -> None:
    secret = secret_of(0)
    commitment = dice.commitment(secret)
    original = stream(secret, WHITE, BLACK)
    others = {
        "a bit of White's": (one_bit_off(WHITE, 0), BLACK),
        "another bit of White's": (one_bit_off(WHITE, 127), BLACK),
        "a bit of Black's": (WHITE, one_bit_off(BLACK, 0)),
        "another bit of Black's": (WHITE, one_bit_off(BLACK, 127)),
        "the two changed places": (BLACK, WHITE),
        "nothing from White": (b"", BLACK),
        "the secret without the players": (b"", b""),
    }
    for white, black in others.values():
        assert_independent(original, stream(secret, white, black))
    # The published hashes, used as secret or entropy, give other dice.
    assert_independent(original, stream(bytes.fromhex(commitment), WHITE, BLACK))
    hashes = [hashlib.sha256(entropy).digest() for entropy in (WHITE, BLACK)]
    assert_independent(original, stream(secret, *hashes))
    # Another match with the same secret and entropy has other dice.
    assert_independent(original, stream(secret, WHITE, BLACK, "AbCdEf123457"))
    assert (stream(secret, WHITE, BLACK) == original).all()


@pytest.mark.django_db
def test_08_match_and_checker_derive_the_rolls_from_secret_and_entropy() -> None:
    sitting = StakeSitting(player("white5"), player("black5"), stake=100).sit().start_game()
    sitting.match.refresh_from_db()
    secret, entropy = unseal(sitting.match.sealed_secret), b"x" * 16
    key = dice.match_key(secret, sitting.public_id, entropy, entropy)
    without = dice.match_key(secret, sitting.public_id, b"", b"")
    state = sitting.state
    assert next_roll(sitting.match, state) == dice.roll(key, state.game, state.rolls + 1)
    assert state.proof.commitment == hashlib.sha256(secret).hexdigest()
    sitting.play_until(Phase.FINISHED)
    sitting.match.refresh_from_db()
    checks = check_dice(from_export(export_of(sitting.match)))
    assert len(checks) > 20
    for check in checks:
        assert check.logged == dice.roll(key, check.game, check.number) == check.derived
    agreeing = [dice.roll(without, check.game, check.number) == check.logged for check in checks]
    assert sum(agreeing) < len(checks) / 2
