"""A match and its two seats."""

from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from accounts.models import PUBLIC_ID_LENGTH, new_public_id
from games.engine.match.snapshot import loads
from games.engine.match.state import IN_GAME, MatchCause, MatchState, Phase
from games.engine.rules import Rules, Variant
from games.engine.sides import Side
from games.models.absence import Absence
from games.models.bot_pace import Pace
from games.models.kind import KINDS, KindPolicy, kind_choices
from games.models.premove import CubeAnswer, Premove

# Quota of forgiven lag at the start of a match, in milliseconds.
GRACE_START_MS = 3000
# Most characters of the name that a guest chooses for a friendly match.
GUEST_NAME_LENGTH = 15
# Columns of a seat that keep its premove.
PREMOVE_FIELDS = ("premove_roll", "premove_cube", "premove_game")
ABSENCE_FIELDS = ("is_absent", "absence_left_ms", "absence_at")


def match_ms(created_at: datetime, moment: datetime) -> int:
    """Return the milliseconds from the creation of a match to a moment, at least 0."""
    return max(0, (moment - created_at) // timedelta(milliseconds=1))


class Match(models.Model):
    """One match, from its creation to its end.

    `snapshot` is what the log of actions folds to, written with every action; `seq` is the
    number of the last action. `wake_at` is the earliest moment at which something may be due (a
    flag, a bot to move, the next game); it is recomputed under the row lock. `awaits_bot` says that
    a bot is to move; the bot driver leases the turn by postponing `wake_at`. `phase`, `outcome`
    and `winner` repeat the snapshot for lists and constraints. `stake_credits` is the stake of
    each side, `rake_credits` the house's part of the winner's profit; both were agreed before the
    match and never change. `rematch_of` is the match of which this one is the rematch;
    `series_white` and `series_black` count the wins of the players of these sides in the series
    before it. `bot_pace` is the speed at which a bot seems to play. `outages_given` counts the
    outages of the site whose time the match got back. `hides_stake` hides the stake from everybody
    but the two players; with `is_delayed` spectators see the game a turn later
    (games/models/delayed_view.py).
    """

    public_id = models.CharField(  # `unique` would add a second index, for LIKE
        max_length=PUBLIC_ID_LENGTH, default=new_public_id, editable=False
    )
    kind = models.CharField(max_length=16, choices=kind_choices)
    variant = models.CharField(max_length=8, choices=[(v.value, v.value) for v in Variant])
    rules = models.JSONField()
    rules_version = models.PositiveSmallIntegerField()
    snapshot = models.JSONField()
    snapshot_version = models.PositiveSmallIntegerField()
    seq = models.PositiveIntegerField(default=0)
    phase = models.CharField(max_length=16, choices=[(p.value, p.value) for p in Phase])
    outcome = models.CharField(
        max_length=16, blank=True, default="", choices=[(c.value, c.value) for c in MatchCause]
    )
    winner = models.CharField(
        max_length=8, blank=True, default="", choices=[(s.value, s.value) for s in Side]
    )
    commitment = models.CharField(max_length=64)
    sealed_secret = models.BinaryField()
    stake_credits = models.PositiveIntegerField(default=0)
    rake_credits = models.PositiveIntegerField(default=0)
    is_public = models.BooleanField(default=False)
    hides_stake = models.BooleanField(default=False, db_default=False)
    is_delayed = models.BooleanField(default=False, db_default=False)
    outages_given = models.PositiveSmallIntegerField(default=0, db_default=0)
    rematch_of = models.OneToOneField(
        "self", on_delete=models.PROTECT, related_name="rematch", null=True, blank=True
    )
    series_white = models.PositiveSmallIntegerField(default=0)
    series_black = models.PositiveSmallIntegerField(default=0)
    wake_at = models.DateTimeField(null=True, blank=True)
    awaits_bot = models.BooleanField(default=False)
    bot_pace = models.CharField(
        max_length=8, choices=Pace, default=Pace.QUICK, db_default=Pace.QUICK
    )
    created_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("match")
        verbose_name_plural = _("matches")
        ordering = ["-created_at"]
        indexes = [
            models.Index(
                fields=["wake_at"],
                name="games_match_wake_at",
                condition=Q(wake_at__isnull=False),
            ),
            models.Index(fields=["-created_at"], name="games_match_created_at"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["public_id"], name="games_match_public_id"),
            models.CheckConstraint(
                name="games_match_stake",
                condition=Q(kind="STAKE", stake_credits__gt=0, rake_credits__lte=F("stake_credits"))
                | ~Q(kind="STAKE") & Q(stake_credits=0, rake_credits=0),
            ),
            models.CheckConstraint(
                name="games_match_finished_has_outcome",
                condition=Q(phase=Phase.FINISHED.value, finished_at__isnull=False) & ~Q(outcome="")
                | ~Q(phase=Phase.FINISHED.value) & Q(finished_at__isnull=True, outcome=""),
            ),
        ]

    def __str__(self) -> str:
        return self.public_id

    @property
    def policy(self) -> KindPolicy:
        return KINDS[self.kind]

    @property
    def state(self) -> MatchState:
        return loads(self.snapshot)

    @property
    def pot_credits(self) -> int:
        return 2 * self.stake_credits

    @property
    def payout_credits(self) -> int:
        """Return the winner's payout, their own stake included."""
        return self.pot_credits - self.rake_credits

    def net_credits_of(self, side: Side) -> int:
        """Return the payout less the stake of a side of a finished match; 0 if no side won."""
        if not self.winner:
            return 0
        payout_credits = self.payout_credits if self.winner == side else 0
        return payout_credits - self.stake_credits

    def ms_at(self, moment: datetime) -> int:
        """Convert a moment to match time; 0 for one before the match was created."""
        return match_ms(self.created_at, moment)

    def shows_stake_to(self, user_id: int | None) -> bool:
        """Return whether the person may see the stake; the two players always may."""
        is_player = any(seat.user_id == user_id for seat in self.seats.all() if seat.user_id)
        return self.policy.is_staked and (is_player or not self.hides_stake)

    @property
    def match_rules(self) -> Rules:
        return Rules.from_dict(self.rules)

    @property
    def is_finished(self) -> bool:
        return self.phase == Phase.FINISHED.value

    @property
    def seats_by_side(self) -> "dict[Side, Seat]":
        """Return the seats, from the prefetched ones if there are any."""
        return {seat.engine_side: seat for seat in self.seats.all()}

    @property
    def ordered_seats(self) -> "list[Seat]":
        """Return the seats in the order of scores and files: White's first."""
        return sorted(self.seats.all(), key=lambda seat: seat.side, reverse=True)

    @property
    def series(self) -> dict[str, int]:
        """Return each side's wins in the series of rematches, with this match once it is over."""
        before = {Side.WHITE: self.series_white, Side.BLACK: self.series_black}
        return {side.value: won + (self.winner == side) for side, won in before.items()}


class Seat(models.Model):
    """A player's place in a match: exactly one of a member, a guest and a bot.

    `holder` is the fencing token of the connection that holds the seat, the newest tab or device;
    it is None while no connection holds the seat. `seen_at` is when that connection was last heard
    of. `absence_left_ms` is what remained of the absence budget at `absence_at`; it runs down while
    `is_absent` (games/models/absence.py). `lag_ms` is the last measured delay of the connection,
    `grace_left_ms` how much of such delays is still forgiven (games/services/grace.py).
    `premove_roll` and `premove_cube` were decided for game `premove_game` and hold in no other
    (games/models/premove.py). `is_live_stake` repeats that the match is staked and not over, for
    the constraint that a member plays one at a time.
    """

    match = models.ForeignKey(  # no index: the constraint below begins with this column
        Match, on_delete=models.PROTECT, related_name="seats", db_index=False
    )
    side = models.CharField(max_length=8, choices=[(s.value, s.value) for s in Side])
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="seats",
        null=True,
        blank=True,
        db_index=False,
    )
    guest = models.UUIDField(null=True, blank=True)
    guest_name = models.CharField(
        max_length=GUEST_NAME_LENGTH, blank=True, default="", db_default=""
    )
    bot = models.SlugField(max_length=32, blank=True, default="")
    holder = models.UUIDField(null=True, blank=True)
    seen_at = models.DateTimeField(null=True, blank=True)
    is_absent = models.BooleanField(default=False)
    absence_left_ms = models.PositiveIntegerField(default=0)
    absence_at = models.DateTimeField(null=True, blank=True)
    lag_ms = models.PositiveSmallIntegerField(default=0)
    grace_left_ms = models.PositiveSmallIntegerField(default=GRACE_START_MS)
    premove_roll = models.BooleanField(default=False, db_default=False)
    premove_cube = models.CharField(
        max_length=4, blank=True, default="", db_default="", choices=CubeAnswer
    )
    premove_game = models.PositiveSmallIntegerField(default=0, db_default=0)
    is_live_stake = models.BooleanField(default=False)

    class Meta:
        verbose_name = _("seat")
        verbose_name_plural = _("seats")
        constraints = [
            models.UniqueConstraint(fields=["match", "side"], name="games_seat_match_side"),
            models.UniqueConstraint(
                fields=["user"], name="games_seat_one_live_stake", condition=Q(is_live_stake=True)
            ),
            models.CheckConstraint(
                name="games_seat_guest_name", condition=Q(guest_name="") | Q(guest__isnull=False)
            ),
            models.CheckConstraint(
                name="games_seat_one_occupant",
                condition=Q(user__isnull=False, guest__isnull=True, bot="")
                | Q(user__isnull=True, guest__isnull=False, bot="")
                | Q(user__isnull=True, guest__isnull=True) & ~Q(bot=""),
            ),
        ]
        indexes = [
            # Finds a member's latest seats without sorting all of them.
            models.Index(fields=["user", "-id"], name="games_seat_latest"),
            models.Index(
                fields=["guest"], name="games_seat_guest", condition=Q(guest__isnull=False)
            ),
            # On `match` and not `seen_at`, which is written every few seconds.
            models.Index(
                fields=["match"],
                name="games_seat_held",
                condition=Q(absence_at__isnull=False, holder__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.match_id}/{self.side}"

    @property
    def absence(self) -> Absence | None:
        """The player's absence budget; None if absence does not count in this match."""
        budget_ms = self.match.policy.absence_budget_ms
        if self.absence_at is None or budget_ms is None:
            return None
        return Absence(budget_ms, self.absence_left_ms, self.absence_at, self.is_absent)

    @absence.setter
    def absence(self, absence: Absence) -> None:
        self.absence_left_ms, self.absence_at = absence.left_ms, absence.at
        self.is_absent = absence.is_absent

    def premove_in(self, state: MatchState) -> Premove:
        """Return the premove that holds in the running game; an empty one between games."""
        if self.premove_game != state.game or state.phase not in IN_GAME:
            return Premove()
        return Premove(self.premove_roll, CubeAnswer(self.premove_cube))

    def decide(self, premove: Premove, game: int) -> None:
        """Set the premove for a game; the caller saves PREMOVE_FIELDS."""
        self.premove_roll, self.premove_cube = premove.roll, premove.cube.value
        self.premove_game = game

    @property
    def kind(self) -> str:
        if self.bot:
            return "bot"
        return "user" if self.user_id else "guest"

    @property
    def engine_side(self) -> Side:
        return Side(self.side)

    def to_dict(self) -> dict[str, Any]:
        """Return the player as frames and exports name them.

        The name is empty for a closed account, and for a guest outside of friendly matches.
        """
        name = self.guest_name
        if self.user is not None:
            name = "" if self.user.closed_at else self.user.get_username()
        return {"kind": self.kind, "name": name, "level": self.bot or None}
