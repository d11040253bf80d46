"""Judgments for the coach and for reviews: the equity a decision lost, and the better choice.

Equities are cubeful, in points of a game normalized to the cube on the table (`equity`).

Plays: the search ranks all plays; those that it searched deepest are compared by cubeful equity.
The play made is searched as deeply as the best. The rival of the best play is the play made; if
the best was made, or none yet (in a hint), it is the second best. If 2 plies are requested, they
are used only if the best play and its rival are less than `CLOSE_PLAY` apart at 1 ply.

Cube: judged at 0-ply if the best action is ahead by more than `CLEAR`; otherwise at 2 plies, with
every roll of both turns. 1 ply judges the cube no better than 0-ply (README). Near the end under
parity it is judged at 2 plies in any case. The judgment states its depth.

Luck: the equity of the roll's best play less the mean over all rolls, at 0-ply.

Every judgment of `judge` holds `stake`, the value of a point at that moment, and `worth`, the value
of the match to the side after its action; for a roll, before it. Values are match winning chances,
or points in a money session. `games.reviews.totals` adds them up.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from games.ai.cube import evaluation, parity, playing_on
from games.ai.cube.doubling import Options
from games.ai.judge import cube_reasons, luck, play_comparison
from games.ai.judge.equity import EquityModel
from games.ai.judge.reason_codes import Reason
from games.ai.net.boards import board_of
from games.ai.net.chances import bounded, flipped
from games.ai.net.player import NetPlayer
from games.engine.match import actions
from games.engine.match.actions import Action
from games.engine.match.permissions import may_beaver, may_double, on_turn
from games.engine.match.scoring import counted_factor
from games.engine.match.state import MatchState, Phase
from games.engine.sides import Side

Judgment = dict[str, Any]
Ranked = list[dict[str, Any]]  # {"action", "equity", "loss"}, best first

# Equity; a cube action ahead by more than this is settled at 0-ply.
CLEAR = 0.3
# Equity; a no-double closer than this counts as a decision, as in GNU Backgammon.
CLOSE = 0.16
CUBE_PLIES = 2
OFFER_PLIES = 1
# Tolerance for rounding in equities that are equal exactly.
_SAME = 1e-6
# Equity; a smaller loss is shown as none, so no reason against the action is given.
_LEAST_SHOWN = 0.0005


def hint(state: MatchState, side: Side, player: NetPlayer, plies: int) -> Judgment | None:
    """Return the best choices of the side; None if it has nothing to decide."""
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
    """Return the judgment of an action in the state; None if nothing was decided or rolled."""
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
        "stake": found.model.stake,
        "worth": found.model.from_points(found.rated[0].equity - found.loss),
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
        # The roll was a decision not to double: `kind` becomes "cube".
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


def _judge_cube_or_offer(
    state: MatchState, action: actions.TimedAction, player: NetPlayer, plies: int
) -> Judgment:
    judged = _decided(state, action.side, action.kind, player)
    model = EquityModel(state, action.side)
    equity = judged["actions"][0]["equity"] - judged["loss"]
    return judged | {
        "side": action.side.value,
        "stake": model.stake,
        "worth": model.from_points(equity),
    }


_JUDGES: dict[type[Action], Callable[..., Judgment | None]] = {
    actions.Play: _judge_play,
    actions.Roll: _judge_roll,
    actions.Opening: _judge_opening,
    actions.Double: _judge_cube_or_offer,
    actions.Take: _judge_cube_or_offer,
    actions.Drop: _judge_cube_or_offer,
    actions.Beaver: _judge_cube_or_offer,
    actions.Accept: _judge_cube_or_offer,
    actions.Refuse: _judge_cube_or_offer,
}


def _decided(state: MatchState, side: Side, done: str, player: NetPlayer) -> Judgment:
    """Return the part of a judgment about the cube or a resignation offer."""
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
    must_answer = state.offer is not None or state.phase is not Phase.TO_ROLL
    if not must_answer and not may_double(state, side):
        return None
    ranked, plies, reason = _ranked(state, side, player, None)
    chances = list(chances_before(state, side, player))
    return {"kind": "cube", "plies": plies, "actions": ranked, "reason": reason, "chances": chances}


def _ranked(
    state: MatchState, side: Side, player: NetPlayer, done: str | None
) -> tuple[Ranked, int, Reason | None]:
    """Return the actions, best first; the depth; the reason, None if `done` loses nothing."""
    least = 0 if state.offer else evaluation.least_plies(state, player)
    for plies in dict.fromkeys((least, CUBE_PLIES)):
        found = None if state.offer else evaluation.options(state, player, plies)
        equities = (
            _cube_equities(state, side, found) if found else _offer_equities(state, side, player)
        )
        ranked = _sorted(equities)
        if state.offer or state.last_turn or ranked[1]["loss"] > CLEAR:
            break
    is_best = any(each["action"] == done and each["loss"] < _LEAST_SHOWN for each in ranked)
    reason = None if is_best else cube_reasons.why(state, ranked[0]["action"], found, player)
    return ranked, OFFER_PLIES if state.offer else plies, reason


def _sorted(equities: dict[str, float]) -> Ranked:
    """Sort best first; equal equities keep their order."""
    best = max(equities.values())
    return [
        {"action": name, "equity": equity, "loss": best - equity if best - equity > _SAME else 0.0}
        for name, equity in sorted(equities.items(), key=lambda item: -round(item[1], 6))
    ]


def _cube_equities(state: MatchState, side: Side, found: Options) -> dict[str, float]:
    doubler = state.turn
    assert doubler is not None
    model = EquityModel(state, doubler)
    if state.phase is Phase.TO_ROLL:
        return {"double": model.to_points(found.doubled), "roll": model.to_points(found.hold)}
    if state.phase is Phase.BEAVERED:
        return {
            "take": model.to_points(found.beaver_taken),
            "drop": model.to_points(found.beaver_dropped),
        }
    answers = {"take": -model.to_points(found.taken), "drop": -model.to_points(found.dropped)}
    if found.beaver is not None and may_beaver(state, side):
        answers["beaver"] = -model.to_points(found.beaver)
    return answers


def _offer_equities(state: MatchState, side: Side, player: NetPlayer) -> dict[str, float]:
    """Return the equities of accepting a resignation and of playing on.

    Playing on is judged one turn ahead, or by rollouts where the net misreads the end of the game.
    """
    mover, offer = state.turn, state.offer
    assert mover is not None
    assert offer is not None
    model, later = EquityModel(state, side), replace(state, offer=None)
    # One turn ahead, a last turn is judged exactly.
    worth = None if state.last_turn else playing_on.find_worth(later, side, player)
    if worth is not None:
        refused = model.to_points(worth)
    else:
        ahead = _equity_ahead(later, mover, player)
        refused = ahead if mover is side else -ahead
    offered = state.cube.value * counted_factor(offer.factor, state.rules, state.cube)
    return {
        "accept": model.to_points(model.utility(offered)),
        "refuse": refused,
    }


def _equity_ahead(state: MatchState, mover: Side, player: NetPlayer) -> float:
    if state.dice is None:
        return luck.before_roll(state, mover, player).mean
    return play_comparison.compare(state, mover, player, OFFER_PLIES, None).rated[0].equity


def chances_before(state: MatchState, side: Side, player: NetPlayer) -> tuple[float, ...]:
    """Return the chances of the side before the roll of the side on turn."""
    mover = state.turn or side
    if state.last_turn:  # the net does not know that the other side has borne off
        chances = luck.before_roll(state, mover, player).chances
    else:
        board = board_of(state, mover)
        of_net, outlook = player.chances(board), parity.find_outlook(state, board, player)
        chances = bounded(outlook.chances(of_net) if outlook else of_net)
    return chances if mover is side else flipped(chances)
