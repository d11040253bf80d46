"""The start of a match and of its games."""

import hashlib

import pytest

from games.engine.board.position import Position
from games.engine.dice import commitment
from games.engine.errors import IllegalAction, InvalidAction, Reason
from games.engine.match import actions as A
from games.engine.match.apply import apply
from games.engine.match.permissions import on_turn
from games.engine.match.state import Phase
from games.engine.rules import Rules
from tests.games.engine.match_stories import BLACK, WHITE, Story, act

SHORT = Rules.of("short", length=5)
LONG = Rules.of("long", length=5)
SECRET = bytes(range(32))


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def test_opening_dice_are_the_first_roll_in_short_backgammon():
    story = Story(SHORT)
    state = story.begin(2, 6)
    assert (state.phase, state.turn, state.first, state.dice) == (
        Phase.TO_PLAY,
        BLACK,
        BLACK,
        (2, 6),
    )
    assert state.rolled_pips == (0, 8)


def test_winner_of_the_opening_rolls_again_in_long_nardy():
    state = Story(LONG).begin(2, 6)
    assert (state.phase, state.turn, state.first, state.dice) == (
        Phase.TO_ROLL,
        BLACK,
        BLACK,
        None,
    )
    assert state.rolled_pips == (0, 0)


@pytest.mark.parametrize("rules", [SHORT, LONG])
def test_tie_is_thrown_again_and_each_throw_counts_as_a_roll(rules):
    story = Story(rules)
    story.do(A.Start, game=1)
    for _ in range(2):
        state = story.do(A.Opening, white=4, black=4)
        assert (state.phase, on_turn(state), state.cube.value) == (Phase.OPENING, None, 1)
    state = story.do(A.Opening, white=4, black=3)
    assert state.openings == ((4, 4), (4, 4), (4, 3))
    assert state.rolls == 3
    assert state.turn is WHITE


def test_every_game_of_a_match_opens_with_its_own_throw():
    story = Story(SHORT)
    story.begin(6, 1)
    story.do(A.Resign, WHITE, factor=1)
    story.do(A.Accept, BLACK)
    state = story.do(A.Start, game=2)
    assert (state.phase, state.openings, state.rolls, state.turn) == (Phase.OPENING, (), 0, None)
    assert state.position == Position.start(SHORT.variant)
    assert story.do(A.Opening, white=1, black=2).first is BLACK


@pytest.mark.parametrize(
    ("allowed", "ties", "value"), [(0, 2, 1), (1, 1, 2), (1, 3, 2), (2, 3, 4), (3, 3, 8), (3, 1, 2)]
)
def test_equal_throws_double_the_centered_cube_up_to_the_allowed_number(allowed, ties, value):
    story = Story(Rules.of("short", length=None, auto_doubles=allowed))
    story.do(A.Start, game=1)
    for _ in range(ties):
        story.do(A.Opening, white=5, black=5)
    state = story.do(A.Opening, white=5, black=1)
    assert (state.cube.value, state.cube.owner, state.cube.auto) == (
        value,
        None,
        min(allowed, ties),
    )


def test_automatic_doubles_do_not_count_in_the_next_game():
    story = Story(Rules.of("long", length=None, auto_doubles=3))
    story.do(A.Start, game=1)
    story.do(A.Opening, white=5, black=5)
    story.do(A.Opening, white=5, black=1)
    story.do(A.Resign, WHITE, factor=1)
    assert story.do(A.Accept, BLACK).result.points == 2
    assert story.begin().cube.value == 1


def test_game_starts_after_the_commitment_and_the_entropy_of_both_sides():
    story = Story(SHORT)
    story.do(A.Commit, hash=commitment(SECRET))
    story.do(A.EntropyHash, WHITE, hash=sha256(b"one"))
    story.do(A.EntropyHash, BLACK, hash=sha256(b"two"))
    story.do(A.Entropy, BLACK, hex=b"two".hex())
    with pytest.raises(IllegalAction) as caught:
        act(story.state, A.Start, game=1)  # White has sent only the hash of the entropy
    assert caught.value.reason is Reason.WRONG_PHASE
    story.do(A.Entropy, WHITE, hex=b"one".hex())
    story.begin()
    assert story.state.proof.entropy == (b"one".hex(), b"two".hex())
    story.do(A.ResignMatch, WHITE)
    story.do(A.Reveal, secret=SECRET.hex())
    assert story.state.proof.secret == SECRET.hex()
    assert story.folds()


def test_a_commitment_after_the_players_hash_is_refused():
    story = Story(SHORT)
    story.do(A.EntropyHash, WHITE, hash=sha256(b"one"))
    with pytest.raises(IllegalAction):
        act(story.state, A.Commit, hash=commitment(SECRET))


def test_a_hash_is_refused_once_any_entropy_is_known():
    story = Story(SHORT)
    story.do(A.EntropyHash, WHITE, hash=sha256(b"one"))
    story.do(A.Entropy, WHITE, hex=b"one".hex())
    with pytest.raises(IllegalAction) as caught:
        act(story.state, A.EntropyHash, BLACK, hash=sha256(b"two"))
    assert caught.value.reason is Reason.WRONG_PHASE


def test_a_later_hash_replaces_an_earlier_one_until_the_other_side_has_sent_its_own():
    story = Story(SHORT)
    story.do(A.Commit, hash=commitment(SECRET))
    for entropy in (b"laptop", b"phone"):
        story.do(A.EntropyHash, WHITE, hash=sha256(entropy))
    story.do(A.EntropyHash, BLACK, hash=sha256(b"two"))
    for side in (WHITE, BLACK):
        with pytest.raises(IllegalAction) as caught:
            act(story.state, A.EntropyHash, side, hash=sha256(b"tablet"))
        assert caught.value.reason is Reason.WRONG_PHASE
    with pytest.raises(InvalidAction):
        act(story.state, A.Entropy, WHITE, hex=b"laptop".hex())
    story.do(A.Entropy, WHITE, hex=b"phone".hex())
    story.do(A.Entropy, BLACK, hex=b"two".hex())
    story.begin()
    assert story.folds()


def test_a_bots_opponent_may_replace_the_hash_until_the_entropy_is_known():
    story = Story(SHORT)
    for entropy in (b"laptop", b"phone"):
        story.do(A.EntropyHash, WHITE, hash=sha256(entropy))
    story.do(A.Entropy, WHITE, hex=b"phone".hex())
    with pytest.raises(IllegalAction):
        act(story.state, A.EntropyHash, WHITE, hash=sha256(b"laptop"))


def test_the_same_hash_again_is_refused():
    story = Story(SHORT)
    story.do(A.EntropyHash, WHITE, hash=sha256(b"one"))
    with pytest.raises(IllegalAction) as caught:
        act(story.state, A.EntropyHash, WHITE, hash=sha256(b"one"))
    assert caught.value.reason is Reason.WRONG_PHASE


def test_entropy_with_another_hash_is_refused():
    story = Story(SHORT)
    story.do(A.EntropyHash, WHITE, hash=sha256(b"one"))
    with pytest.raises(InvalidAction) as caught:
        act(story.state, A.Entropy, WHITE, hex=b"two".hex())
    assert caught.value.code == "entropy_mismatch"


@pytest.mark.parametrize(
    "again",
    [
        A.Commit(at_ms=99, hash="00" * 32),
        A.EntropyHash(at_ms=99, side=WHITE, hash="00" * 32),
        A.Entropy(at_ms=99, side=WHITE, hex=b"one".hex()),
        A.Entropy(at_ms=99, side=BLACK, hex=b"two".hex()),
        A.Start(at_ms=99, game=2),
        A.Opening(at_ms=99, white=1, black=2),
        A.Claim(at_ms=99, side=WHITE),
        A.NextGame(at_ms=99, side=WHITE),
        A.Roll(at_ms=99, side=WHITE, d1=1, d2=2),
        A.Reveal(at_ms=99, secret=SECRET.hex()),
    ],
)
def test_repeated_and_early_actions_are_refused_before_the_start(again):
    story = Story(SHORT)
    story.do(A.Commit, hash=commitment(SECRET))
    story.do(A.EntropyHash, WHITE, hash=sha256(b"one"))
    story.do(A.Entropy, WHITE, hex=b"one".hex())
    with pytest.raises(IllegalAction) as caught:
        apply(story.state, again)
    assert caught.value.reason is Reason.WRONG_PHASE


def test_a_secret_with_another_hash_is_refused():
    story = Story(SHORT)
    story.do(A.Commit, hash=commitment(SECRET))
    story.do(A.Void, cause="no_start")
    with pytest.raises(InvalidAction) as caught:
        act(story.state, A.Reveal, secret=bytes(32).hex())
    assert caught.value.code == "secret_mismatch"
    story.do(A.Reveal, secret=SECRET.hex())
    with pytest.raises(IllegalAction):
        act(story.state, A.Reveal, secret=SECRET.hex())


def test_both_sides_mark_themselves_ready_between_games():
    story = Story(SHORT)
    story.begin()
    story.do(A.Resign, WHITE, factor=1)
    story.do(A.Accept, BLACK)
    assert story.do(A.NextGame, BLACK).ready == {BLACK}
    with pytest.raises(IllegalAction):
        act(story.state, A.NextGame, BLACK)
    assert story.do(A.NextGame, WHITE).ready == {WHITE, BLACK}
    assert story.begin().ready == frozenset()
