"""Scenario 4: a game of long nardy ends by bearing off."""

import random
from itertools import count

import pytest

from games.engine.match import actions as A
from games.engine.match.state import GameCause, Phase
from games.engine.rules import Profile, Rules
from games.engine.sides import Side
from tests.games.engine.match_stories import Story
from tests.games.factories import StakeSitting
from tests.wallet.factories import player, total_of


def played_out(rules: Rules, seed: int) -> Story:
    """Play a game with random dice and random legal plays to its end."""
    rng, story = random.Random(seed), Story(rules)
    story.do(A.Start, game=1)
    while story.state.phase is not Phase.FINISHED:
        dice = rng.randint(1, 6), rng.randint(1, 6)
        if story.state.phase is Phase.OPENING:
            story.do(A.Opening, white=dice[0], black=dice[1])
        elif story.state.phase is Phase.TO_ROLL:
            story.do(A.Roll, story.state.turn, d1=dice[0], d2=dice[1])
        else:
            story.any_play(rng.choice)
    return story


@pytest.mark.parametrize("winner", Side)
@pytest.mark.parametrize("block", ["every_move", "end_of_turn"])
@pytest.mark.parametrize("profile", Profile)
def test_04_either_side_can_win_long_nardy_by_bearing_off_in_all_profiles(
    profile: Profile, block: str, winner: Side
) -> None:
    rules = Rules.of("long", profile, block=block)
    for seed in count():
        story = played_out(rules, seed)
        position, result = story.state.position, story.state.result
        assert result is not None
        assert result.cause is GameCause.BEAR_OFF
        assert position.of(result.winner)[0] == 15
        assert sum(position.of(result.winner.other)) == 15
        assert position.of(result.winner.other)[0] < 15
        assert story.folds()
        if result.winner is winner:
            return


@pytest.mark.django_db
def test_04_long_nardy_for_credits_pays_the_side_that_bore_off() -> None:
    sitting = StakeSitting(player("white5"), player("black5"), stake=100, variant="long")
    sitting.sit().start_game().play_until(Phase.FINISHED)
    outcome = sitting.state.outcome
    assert outcome is not None
    assert outcome.winner is not None
    assert sitting.state.position.of(outcome.winner)[0] == 15
    assert total_of(sitting.users[outcome.winner]) == 1090
    assert total_of(sitting.users[outcome.winner.other]) == 900
