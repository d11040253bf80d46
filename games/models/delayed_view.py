"""The delayed view of a match at a high or hidden stake: spectators see it one turn later."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.engine.match.actions import Play
from games.engine.match.apply import apply
from games.engine.match.snapshot import dumps, loads
from games.engine.match.state import IN_GAME, MatchState
from games.models.logged_action import LoggedAction
from games.models.match import Match


def is_delayed_at(stake_credits: int, *, hides_stake: bool) -> bool:
    """Return whether spectators see a match at this stake a turn later.

    They do in each match with a hidden stake: otherwise the delay would tell how high it is.
    """
    limit: int = settings.WATCH_DELAY_STAKE
    return limit > 0 and (hides_stake or stake_credits > limit)


class DelayedView(models.Model):
    """The state that spectators see (`shown`) and the one that they see next (`held`).

    Only matches with a delay have a row. A turn is shown when the next one has been played, so that
    spectators cannot advise the player on turn. The end of a game or of the match shows everything.
    """

    match = models.OneToOneField(Match, on_delete=models.CASCADE, related_name="delayed_view")
    shown_seq = models.PositiveIntegerField(default=0)
    shown = models.JSONField()
    shown_at = models.DateTimeField()
    held_seq = models.PositiveIntegerField(default=0)
    held = models.JSONField()

    class Meta:
        verbose_name = _("delayed view")
        verbose_name_plural = _("delayed views")

    def __str__(self) -> str:
        return f"{self.match_id}: {self.shown_seq}"

    @property
    def state(self) -> MatchState:
        return loads(self.shown)

    def now_ms(self, now: datetime) -> int:
        """Return the match time for spectators: that of the shown state plus the time since."""
        passed = (now - self.shown_at) // timedelta(milliseconds=1)
        return self.state.at_ms + max(0, passed)

    def advance(
        self, before: MatchState, logged: Sequence[LoggedAction], now: datetime
    ) -> list[LoggedAction]:
        """Advance both states by the actions just written.

        Return the actions that become visible to spectators, written now or earlier.
        """
        shown_before, seq_before = self.shown, self.shown_seq
        for each in logged:
            if each.state.phase not in IN_GAME:
                self._show(each.seq, dumps(each.state))
                self._hold(each.seq, dumps(each.state))
            elif before.phase in IN_GAME and isinstance(each.action, Play):
                self._show(self.held_seq, self.held)
                self._hold(each.seq, dumps(each.state))
            before = each.state
        if self.shown_seq == seq_before:
            self.save(update_fields=["held_seq", "held"])
            return []
        self.shown_at = now
        self.save()
        return self._replayed(loads(shown_before), seq_before)

    def _show(self, seq: int, snapshot: dict[str, Any]) -> None:
        self.shown_seq, self.shown = seq, snapshot

    def _hold(self, seq: int, snapshot: dict[str, Any]) -> None:
        self.held_seq, self.held = seq, snapshot

    def _replayed(self, state: MatchState, seq: int) -> list[LoggedAction]:
        """Return the actions after `seq` up to the shown one; `state` is the state after `seq`."""
        rows = self.match.actions.filter(seq__gt=seq, seq__lte=self.shown_seq).order_by("seq")
        done = []
        for row in rows:
            action = row.engine_action
            state = apply(state, action)
            done.append(LoggedAction(row.seq, action, state, row.client_id))
        return done
