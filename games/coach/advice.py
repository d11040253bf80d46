"""The coach of training matches: hints, and warnings before a command that loses much.

The coach sees only the position on the table, never future dice. It never blocks a player: a
command that cannot be judged in time is carried out.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from accounts.shared.database_clock import CLOCK
from accounts.shared.database_threads import run_in_db_thread
from accounts.shared.refusals import Refused
from games import selectors
from games.ai.judge.grades import BLUNDER
from games.bots.process import NoAnswer, StillCompiling
from games.coach.process import COACH
from games.engine.errors import EngineError
from games.engine.match import actions as engine
from games.engine.match.action_codec import action_to_dict
from games.engine.match.apply import canonical
from games.engine.match.permissions import may_answer, may_double, may_play, may_take, on_turn
from games.engine.match.state import MatchState
from games.engine.sides import Side
from games.models.actor import Actor, asker_key, find_seat
from games.protocol.incoming import Command

PLIES = 1
# Seconds for which a command waits for its judgment.
PATIENCE_S = 2.0
# Seconds that must be left on the clock after that wait, to carry the command out.
MARGIN_S = 1.0


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision that a player has to make."""

    side: Side
    state: MatchState
    snapshot: dict[str, Any]

    def question(self, ask: str, **more: Any) -> dict[str, Any]:
        """Return a question about the decision in the format of games/ai/process/questions.py."""
        named = {"ask": ask, "state": self.snapshot, "side": self.side.value, "plies": PLIES}
        return named | more


async def hint(public_id: str, actor: Actor, seq: int) -> dict[str, Any]:
    """Return the best plays or actions for the player's decision, with the loss of each.

    Raises `Refused`: `no_coach` if the match is not coached, `no_answer` if the coach process does
    not answer, `not_ready` while the kernel is still being compiled after an installation, and the
    codes of `_decision`.
    """
    decision = await run_in_db_thread(_decision, public_id, actor, seq)
    try:
        advice = await COACH.ask(decision.question("hint"), "hint", asker_key(actor))
    except StillCompiling as error:
        raise Refused("not_ready") from error
    except NoAnswer as error:
        raise Refused("no_answer") from error
    if advice is None:
        raise Refused("wrong_phase")
    return advice


async def blunder(public_id: str, actor: Actor, command: Command, now: datetime) -> Refused | None:
    """Return the refusal of a command that is a blunder; None for any other.

    Return None also for a command that is not judged within `PATIENCE_S` after `now`, the moment at
    which it came, and for one that is not allowed: the code that submits it will refuse it.
    """
    try:
        decision = await run_in_db_thread(_decision, public_id, actor, command.seq, now=now)
        question, wanted = _question_about(decision, command)
        left_s = PATIENCE_S - (CLOCK.now() - now).total_seconds()
        if left_s <= 0:
            return None
        judged = await COACH.ask(question, wanted, asker_key(actor), patience_s=left_s)
    except (Refused, EngineError, NoAnswer):
        return None
    advice = (
        _advice_on_play(judged) if wanted == "judgment" else _advice_on_action(judged, command.t)
    )
    return Refused("blunder", blunder=advice) if advice and advice["loss"] >= BLUNDER else None


def _decision(public_id: str, actor: Actor, seq: int, *, now: datetime | None = None) -> Decision:
    """Return the actor's decision at a training table; raise `Refused` if there is none.

    With `now`, also refuse if the clock leaves no time to judge a command.
    """
    match = selectors.find_match(public_id)
    seat = find_seat(match.seats.all(), actor) if match is not None else None
    if match is None or seat is None:
        raise Refused("not_seated")
    if not match.policy.is_coached:
        raise Refused("no_coach")
    if not actor.is_holder_of(seat):
        raise Refused("passive")
    if match.is_finished:
        raise Refused("finished")
    if match.seq != seq:
        raise Refused("stale")
    state, side = match.state, seat.engine_side
    if on_turn(state) is not side:
        raise Refused("not_your_turn")
    if not any(may(state, side) for may in (may_play, may_double, may_take, may_answer)):
        raise Refused("wrong_phase")
    if now is not None and _may_flag_fall(state, now - match.created_at):
        raise Refused("out_of_time")
    return Decision(side, state, match.snapshot)


def _may_flag_fall(state: MatchState, since_creation: timedelta) -> bool:
    """Return whether the flag could fall while the coach decides."""
    done_at = since_creation + timedelta(seconds=PATIENCE_S + MARGIN_S)
    return state.clock is not None and state.clock.is_out(done_at // timedelta(milliseconds=1))


def _question_about(decision: Decision, command: Command) -> tuple[dict[str, Any], str]:
    """Return the question about a command, and the field of its answer.

    A cube action is judged by a hint, which lists every action.
    """
    if command.t != "play":
        return decision.question("hint"), "hint"
    state = decision.state
    play = engine.Play(at_ms=state.at_ms, side=decision.side, text=command.fields["d"])
    action = action_to_dict(canonical(state, play))  # raises if illegal
    return decision.question("judge", action=action), "judgment"


def _advice_on_play(judged: dict[str, Any] | None) -> dict[str, Any] | None:
    if judged is None or judged["kind"] != "play":
        return None
    return {
        "kind": "play",
        "done": judged["played"],
        "best": judged["best"],
        "loss": judged["loss"],
        "reason": judged["reason"],
    }


def _advice_on_action(hinted: dict[str, Any] | None, done: str) -> dict[str, Any] | None:
    if hinted is None or hinted["kind"] != "cube":
        return None
    losses = {each["action"]: each["loss"] for each in hinted["actions"]}
    if done not in losses:
        return None
    return {
        "kind": "cube",
        "done": done,
        "best": hinted["actions"][0]["action"],
        "loss": losses[done],
        "reason": hinted["reason"],
    }
