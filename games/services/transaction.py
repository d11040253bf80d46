"""One transaction on one match: lock, act, save, announce after the commit.

Actions are applied in memory and written together with the snapshot they fold to. Every action goes
through here.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Self
from uuid import UUID

from accounts.shared.refusals import Refused
from accounts.shared.transactions import announce_after_commit
from games import broadcast, match_rows, signals
from games.conduct.turn_notices import tell_absent
from games.engine.match.action_codec import action_to_dict, side_of
from games.engine.match.actions import Action as EngineAction
from games.engine.match.apply import apply, canonical
from games.engine.match.snapshot import SNAPSHOT_VERSION, dumps
from games.engine.match.state import IN_GAME, MatchCause, MatchState
from games.engine.sides import Side
from games.models import ABSENCE_FIELDS, Action, Game, Match, Seat
from games.models.logged_action import LoggedAction
from games.services.finishing import finish
from games.services.next_deadline import next_deadline, next_wake, note
from games.stakes.escrow import Ruling

_WRITTEN = (
    "seq", "snapshot", "snapshot_version", "phase", "outcome", "winner", "wake_at", "awaits_bot",
    "started_at", "finished_at",
)  # fmt: skip


@dataclass(slots=True)
class MatchTransaction:
    """A locked match and its actions that are not written yet.

    `now_ms` counts from the match's creation and never runs backwards. `saved` is the state in
    the database, `state` the result of the actions `logged` since. `ruling` is the decision of
    staff that ends the match. `repeated` is set if the command was logged before: the number and
    the side of its action. `charged` is the seat whose grace is saved with the actions.
    """

    match: Match
    seats: dict[Side, Seat]
    now: datetime
    saved: MatchState
    state: MatchState
    logged: list[LoggedAction] = field(default_factory=list)
    ruling: Ruling | None = None
    repeated: tuple[int, str] | None = None
    charged: Seat | None = None

    @classmethod
    def lock(cls, public_id: str, now: datetime, command_id: UUID | None = None) -> Self:
        """Lock the match's row; raise `Refused("not_found")` if there is no such match.

        `command_id`: the command to be applied, to find out whether it was logged before.
        """
        found = match_rows.lock_match(public_id, command_id)
        if found is None:
            raise Refused("not_found")
        match, seats, repeated = found
        return cls._of(match, seats, now, repeated)

    @classmethod
    def of(cls, match: Match, now: datetime) -> Self:
        """Wrap a match whose row is locked already."""
        return cls._of(match, match_rows.read_seats(match), now)

    @classmethod
    def _of(
        cls,
        match: Match,
        seats: list[Seat],
        now: datetime,
        repeated: tuple[int, str] | None = None,
    ) -> Self:
        state = match.state
        by_side = {seat.engine_side: seat for seat in seats}
        return cls(match, by_side, now, state, state, repeated=repeated)

    @property
    def now_ms(self) -> int:
        return max(self.match.ms_at(self.now), self.state.at_ms)

    def act(
        self, build: Callable[[int], EngineAction], client_id: UUID | None = None
    ) -> MatchState:
        """Build an action for the present moment and apply it.

        Raises `IllegalAction` or `InvalidAction` of the engine; then nothing has changed.
        """
        action = canonical(self.state, build(self.now_ms))
        self.state = apply(self.state, action)
        seq = self.match.seq + len(self.logged) + 1
        self.logged.append(LoggedAction(seq, action, self.state, client_id))
        return self.state

    def undo(self) -> None:
        """Discard the actions since the last save."""
        self.state = self.saved
        self.logged.clear()

    def save(self) -> None:
        """Write the actions and announce them after the commit."""
        if not self.logged:
            return
        was_started, was_finished = bool(self.match.started_at), self.match.is_finished
        self._save_games()
        self._save_match()
        if self.match.started_at and not was_started:
            signals.match_started.send(Match, match_id=self.match.pk)
            if self.match.policy.counts_absence:
                self._renew_absences()
        if self.match.is_finished and not was_finished:
            finish(self.match, self.seats, self.now, self.ruling)
        tell_absent(self.match, self.seats, self.state, self.now)
        self._announce()
        match = self.match
        if match.is_finished and not was_finished:
            if match.policy.rematch_time:
                announce_after_commit(lambda: broadcast.rematch_changed(match.public_id))
            if match.outcome == MatchCause.VOID:  # its players may be on other pages
                broadcast.nudge_players(self.seats.values(), match.public_id)
        self.saved = self.state
        self.logged.clear()

    def reschedule(self, retry_after: timedelta | None = None) -> None:
        """Recompute `wake_at` after a change that is not an action.

        With `retry_after`, a deadline that is due but does not concern a bot is set to that time
        from now: otherwise it would come before those of other matches again and again.

        A bot's turn, or its lease, stays as it is. Otherwise a player who left and returned again
        and again would postpone the bot's action until the bot runs out of time.
        """
        match = self.match
        due_at, awaits_bot = next_deadline(match, self.seats, self.state, self.now)
        if match.awaits_bot and awaits_bot and match.wake_at is not None:
            return
        if retry_after and not awaits_bot and due_at is not None and due_at <= self.now:
            due_at = self.now + retry_after
        if (due_at, awaits_bot) != (match.wake_at, match.awaits_bot):
            match.wake_at, match.awaits_bot = due_at, awaits_bot
            match.save(update_fields=["wake_at", "awaits_bot"])
            note(match)

    def _renew_absences(self) -> None:
        """Let absences count from here on: the wait before the first game is not charged."""
        for seat in self.seats.values():
            if seat.absence is not None:
                seat.absence = seat.absence.renew(self.now, is_absent=seat.is_absent)
                seat.save(update_fields=ABSENCE_FIELDS)
        public_id = self.match.public_id
        announce_after_commit(lambda: broadcast.presence_changed(public_id))

    def _announce(self) -> None:
        """Announce the actions after the commit; spectators may get them with a delay."""
        match, logged, now_ms = self.match, list(self.logged), self.now_ms
        shown, shown_ms = logged if match.is_public else [], now_ms
        if match.is_public and match.is_delayed:
            shown = match.delayed_view.advance(self.saved, logged, self.now)
            shown_ms = shown[-1].state.at_ms if shown else now_ms
        announce_after_commit(
            lambda: broadcast.actions_logged(match, logged, now_ms, shown, shown_ms)
        )

    def _row(self, logged: LoggedAction) -> Action:
        action, side = logged.action, side_of(logged.action)
        return Action(
            match=self.match,
            seq=logged.seq,
            verb=action.kind,
            side=side.value if side else "",
            data=action_to_dict(action),
            client_id=logged.client_id,
            created_at=self.now,
        )

    def _save_match(self) -> None:
        match, state = self.match, self.state
        match.seq = self.logged[-1].seq
        match.snapshot = dumps(state)
        match.snapshot_version = SNAPSHOT_VERSION
        match.phase = state.phase.value
        if state.game and match.started_at is None:
            match.started_at = self.now
        if state.outcome is not None and match.finished_at is None:
            match.finished_at = self.now
            match.outcome = state.outcome.cause.value
            match.winner = state.outcome.winner.value if state.outcome.winner else ""
        match.wake_at, match.awaits_bot = next_wake(match, self.seats, state, self.now)
        rows = [self._row(each) for each in self.logged]
        match_rows.write(match, _WRITTEN, rows, self.charged)
        note(match)

    def _save_games(self) -> None:
        """Create a row when a game starts; write its result when it ends."""
        before = self.saved
        for each in self.logged:
            state = each.state
            if state.game != before.game:
                Game.objects.create(match=self.match, number=state.game, started_at=self.now)
            if before.phase in IN_GAME and state.phase not in IN_GAME:
                self._finish_game(state)
            before = state

    def _finish_game(self, state: MatchState) -> None:
        """Write a game's result; a game whose match became void during it has none."""
        result = state.result
        is_void = state.outcome is not None and state.outcome.cause is MatchCause.VOID
        if result is None or is_void:
            return
        Game.objects.filter(match=self.match, number=state.game).update(
            finished_at=self.now,
            winner=result.winner.value if result.winner else "",
            kind=result.kind.value,
            cause=result.cause.value,
            points=result.points,
            cube=result.cube,
        )
