"""Provably fair dice: commitment, key and rolls equal a test vector computed elsewhere."""

import hashlib
from collections import Counter

import pytest

from games.engine import dice
from games.engine.errors import InvalidAction

SECRET = bytes(range(32))
MATCH_ID = "AbCdEf123456"
WHITE_ENTROPY = bytes.fromhex("00112233445566778899aabbccddeeff")
BLACK_ENTROPY = "привет".encode()
KEY = dice.match_key(SECRET, MATCH_ID, WHITE_ENTROPY, BLACK_ENTROPY)


def test_commitment_equals_that_of_the_test_vector():
    assert (
        dice.commitment(SECRET)
        == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
    )


def test_key_equals_that_of_the_test_vector():
    assert KEY.hex() == "84de1d640ea4915c28f50a0e03637e0e7912c2bea1484e3eec8dc363cef66a40"


@pytest.mark.parametrize(
    ("game", "rolls"),
    [
        (1, [(1, 2), (2, 2), (5, 4), (2, 1), (6, 5), (1, 5), (3, 3), (4, 6)]),
        (2, [(5, 4), (2, 6), (4, 2)]),
    ],
)
def test_rolls_equal_those_of_the_test_vector(game, rolls):
    assert [dice.roll(KEY, game, number) for number in range(1, len(rolls) + 1)] == rolls


def test_the_hash_of_entropy_is_plain_sha256():
    assert dice.entropy_hash(BLACK_ENTROPY) == hashlib.sha256(BLACK_ENTROPY).hexdigest()


def test_the_key_depends_on_the_boundary_between_the_entropies():
    one = dice.match_key(SECRET, MATCH_ID, b"ab", b"c")
    other = dice.match_key(SECRET, MATCH_ID, b"a", b"bc")
    assert one != other


def test_dice_against_a_bot_without_entropy_depend_on_the_match():
    assert dice.match_key(SECRET, "AAAAAAAAAAAA", b"x", b"") != dice.match_key(
        SECRET, "BBBBBBBBBBBB", b"x", b""
    )


def test_all_faces_are_about_equally_frequent():
    faces = Counter(face for number in range(1, 3001) for face in dice.roll(KEY, 1, number))
    assert set(faces) == {1, 2, 3, 4, 5, 6}
    assert all(850 <= count <= 1150 for count in faces.values())  # 1000 +- 5 sigma


def test_bytes_that_would_favor_low_faces_are_skipped(monkeypatch):
    blocks = iter([b"\xfc\xff\xfd\xfe\xfb", b"\x00"])

    class Fixed:
        def copy(self):
            return self

        def update(self, label):
            pass

        def digest(self):
            return next(blocks)

    monkeypatch.setattr(dice, "_keyed", lambda key: Fixed())
    assert dice.roll(b"", 1, 1) == (6, 1)  # skips bytes above 251, then reads a new block


def test_entropy_has_at_most_sixty_four_bytes():
    dice.match_key(SECRET, MATCH_ID, b"x" * 64, b"")
    with pytest.raises(InvalidAction) as caught:
        dice.match_key(SECRET, MATCH_ID, b"x" * 65, b"")
    assert caught.value.code == "entropy"


@pytest.mark.parametrize(
    ("secret", "match_id", "code"),
    [(b"short", MATCH_ID, "secret"), (SECRET, "нарды", "match_id")],
)
def test_a_key_needs_a_whole_secret_and_an_ascii_id(secret, match_id, code):
    with pytest.raises(InvalidAction) as caught:
        dice.match_key(secret, match_id, b"", b"")
    assert caught.value.code == code


def test_games_and_rolls_are_counted_from_one():
    with pytest.raises(ValueError, match="from 1"):
        dice.roll(KEY, 0, 1)
