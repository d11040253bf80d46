"""What a decision cost, and what would have been better: for the coach and for reviews.

Equities are points of a game, normalized to the cube on the table, the cube counted in (`worths`).

Plays: all results are ranked by the search, so many plies on; those that it looked into deepest are
compared by their worth with the cube. The play that was made is looked into as deeply as the best.
Where 2 plies are asked for, only plays are looked into so deeply where the best and its rival, the
play made or else the second best, are less than `CLOSE_PLAY` apart at 1 ply.

Cube: by the net's chances at once where the best action is far ahead (`CLEAR`), else by all of the
next two rolls; 1 ply is no better than none there (README). The answer says how deep it is.

Luck: the worth of the roll's best play less the mean over all rolls, the net's word at once.

Every judgment says what a point was worth then (`stake`) and what the match is worth to the side
with what was done, a roll before it is known (`worth`): chances to win the match, or points
without a match length. `games.sheets` adds up.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from games.ai.cube import evaluation
from games.ai.cube.doubling import Options
from games.ai.judge import cube_reasons, luck, play_comparison
from games.ai.judge.equity import Worths, board_of
from games.ai.judge.reason_codes import Reason
from games.ai.net.chances import bounded, flipped
from games.ai.net.player import NetPlayer
from games.engine import actions
from games.engine.actions import Action
from games.engine.predicates import may_beaver, may_double, on_turn
from games.engine.scoring import counted_factor
from games.engine.sides import Side
from games.engine.state import MatchState, Phase

Judgment = dict[str, Any]
Ranked = list[dict[str, Any]]  # {"action", "equity", "loss"}, best first

# Ahead by more than this, the net's word at once settles what to do with the cube.
CLEAR = 0.3
# Below this a decision of the cube counts though nothing was done, as for GNU Backgammon.
CLOSE = 0.16
CUBE_PLIES = 2
OFFER_PLIES = 1
# Sums of floating numbers that are equal on paper.
_SAME = 1e-6


def hint(state: MatchState, side: Side, player: NetPlayer, plies: int) -> Judgment | None:
    """What the side had best do now; None when it has nothing to decide."""
    if on_turn(state) is not side:
        return None
    if state.offer is None and state.phase is Phase.TO_PLAY:
        found = play_comparison.compare(state, side, player, plies, None)
        return {
            "kind": "play",
            "plies": found.plies,
            "plays": found.best(5),
            "reason": found.reason(),
        }
    return _cube_hint(state, side, player)


def judge(state: MatchState, action: Action, player: NetPlayer, plies: int) -> Judgment | None:
    """What an action in the state cost; None where nothing was decided or rolled."""
    judged = _JUDGES.get(type(action))
    return judged(state, action, player, plies) if judged else None


def _judge_play(state: MatchState, action: actions.Play, player: NetPlayer, plies: int) -> Judgment:
    found = play_comparison.compare(state, action.side, player, plies, action.text)
    return {
        "kind": "play",
        "side": action.side.value,
        "dice": list(state.dice or ()),
        "played": action.text,
        "best": found.rated[0].text,
        "loss": found.loss,
        "forced": found.is_forced,
        "plays": found.best(5),
        "chances": list(found.rated[0].chances),
        "reason": found.reason(),
        "plies": found.plies,
        "stake": found.worths.stake,
        "worth": found.worths.unpoints(found.rated[0].equity - found.loss),
    }


def _judge_roll(state: MatchState, action: actions.Roll, player: NetPlayer, plies: int) -> Judgment:
    rolled = luck.of_roll(state, (action.d1, action.d2), player)
    judged = {
        "kind": "roll",
        "side": action.side.value,
        "dice": [action.d1, action.d2],
        "luck": rolled.luck,
        "chances": list(rolled.chances),
        "stake": rolled.stake,
        "worth": rolled.worth,
    }
    if may_double(state, action.side):
        judged |= _decided(state, action.side, "roll", player)
    return judged


def _judge_opening(
    state: MatchState, action: actions.Opening, player: NetPlayer, plies: int
) -> Judgment | None:
    if action.white == action.black:
        return None
    rolled = luck.of_opening(state, (action.white, action.black), player)
    return {
        "kind": "roll",
        "side": (Side.WHITE if action.white > action.black else Side.BLACK).value,
        "dice": [action.white, action.black],
        "luck": rolled.luck,
        "chances": list(rolled.chances),
        "stake": rolled.stake,
        "worth": rolled.worth,
    }


def _judge_answer(
    state: MatchState, action: actions.TimedAction, player: NetPlayer, plies: int
) -> Judgment:
    judged, worths = _decided(state, action.side, action.kind, player), Worths(state, action.side)
    equity = judged["actions"][0]["equity"] - judged["loss"]
    return judged | {
        "side": action.side.value,
        "stake": worths.stake,
        "worth": worths.unpoints(equity),
    }


_JUDGES: dict[type[Action], Callable[..., Judgment | None]] = {
    actions.Play: _judge_play,
    actions.Roll: _judge_roll,
    actions.Opening: _judge_opening,
    actions.Double: _judge_answer,
    actions.Take: _judge_answer,
    actions.Drop: _judge_answer,
    actions.Beaver: _judge_answer,
    actions.Accept: _judge_answer,
    actions.Refuse: _judge_answer,
}


def _decided(state: MatchState, side: Side, done: str, player: NetPlayer) -> Judgment:
    """The part of a judgment that is about the cube, or about an offer to give up."""
    ranked, plies, reason = _ranked(state, side, player, done)
    loss = next(each["loss"] for each in ranked if each["action"] == done)
    return {
        "kind": "cube",
        "done": done,
        "best": ranked[0]["action"],
        "loss": loss,
        "close": ranked[1]["loss"] < CLOSE,
        "actions": ranked,
        "chances": list(chances_before(state, side, player)),
        "reason": reason,
        "plies": plies,
    }


def _cube_hint(state: MatchState, side: Side, player: NetPlayer) -> Judgment | None:
    asks = state.offer is not None or state.phase is not Phase.TO_ROLL
    if not asks and not may_double(state, side):
        return None
    ranked, plies, reason = _ranked(state, side, player, None)
    chances = list(chances_before(state, side, player))
    return {"kind": "cube", "plies": plies, "actions": ranked, "reason": reason, "chances": chances}


def _ranked(
    state: MatchState, side: Side, player: NetPlayer, done: str | None
) -> tuple[Ranked, int, Reason | None]:
    """What the side may do with the cube or an offer, best first, how deep that was seen, and why
    the best is best, unless it was `done`."""
    for plies in (0, CUBE_PLIES):
        found = None if state.offer else evaluation.options(state, player, plies)
        worths = _of_cube(state, side, found) if found else _of_offer(state, side, player)
        ranked = _sorted(worths)
        if state.offer or state.last_turn or ranked[1]["loss"] > CLEAR:
            break
    best = ranked[0]["action"]
    reason = None if done == best else cube_reasons.why(state, best, found, player)
    return ranked, OFFER_PLIES if state.offer else plies, reason


def _sorted(worths: dict[str, float]) -> Ranked:
    """Best first; of what is worth the same, whatever comes first."""
    best = max(worths.values())
    return [
        {"action": name, "equity": equity, "loss": best - equity if best - equity > _SAME else 0.0}
        for name, equity in sorted(worths.items(), key=lambda item: -round(item[1], 6))
    ]


def _of_cube(state: MatchState, side: Side, found: Options) -> dict[str, float]:
    doubler = state.turn
    assert doubler is not None
    worths = Worths(state, doubler)
    if state.phase is Phase.TO_ROLL:
        return {"double": worths.points(found.doubled), "roll": worths.points(found.hold)}
    if state.phase is Phase.BEAVERED:
        return {
            "take": worths.points(found.beaver_taken),
            "drop": worths.points(found.beaver_dropped),
        }
    answers = {"take": -worths.points(found.taken), "drop": -worths.points(found.dropped)}
    if found.beaver is not None and may_beaver(state, side):
        answers["beaver"] = -worths.points(found.beaver)
    return answers


def _of_offer(state: MatchState, side: Side, player: NetPlayer) -> dict[str, float]:
    """What is offered, and what playing on is worth, looking one turn ahead."""
    mover, offer = state.turn, state.offer
    assert mover is not None
    assert offer is not None
    worths, later = Worths(state, side), replace(state, offer=None)
    if state.dice is None:
        playing_on = luck.before_roll(later, mover, player).mean
    else:
        playing_on = (
            play_comparison.compare(later, mover, player, OFFER_PLIES, None).rated[0].equity
        )
    offered = state.cube.value * counted_factor(offer.factor, state.rules, state.cube)
    return {
        "accept": worths.points(worths.utility(offered)),
        "refuse": playing_on if mover is side else -playing_on,
    }


def chances_before(state: MatchState, side: Side, player: NetPlayer) -> tuple[float, ...]:
    """Of the side, whoever is on turn and yet to roll."""
    mover = state.turn or side
    chances = bounded(player.chances(board_of(state, mover)))
    return chances if mover is side else flipped(chances)
