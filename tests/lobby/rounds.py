"""Races between two processes over one thing: how each is set up, run from two sides, and judged.

Every race names its two sides `one` and `other`; they may be called in two processes at the same
moment. `judge` says who won, and fails unless exactly one thing happened to everybody's credits.
"""

import hashlib
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

from django.db.models import Sum
from django.utils import timezone

from accounts.models import User
from accounts.shared.refusals import Refused
from accounts.shared.transactions import writing
from games.engine.match.apply import fold
from games.engine.match.permissions import on_turn
from games.engine.match.snapshot import dumps
from games.engine.match.state import Phase
from games.engine.rules import Rules
from games.engine.sides import Side
from games.models import Match, Seat
from games.models.actor import Actor
from games.models.kind import STAKE as FOR_CREDITS
from games.protocol.incoming import Command
from games.services import actions, deadlines, matches, rematches, seats
from lobby.models import Seek
from lobby.services import announcing, ending, expiry, joining
from tests.games.factories import some_play
from tests.lobby.factories import announcement, player
from wallet.models import Account, Entry, Hold
from wallet.selectors import funds_of
from wallet.services import accounts, holds
from wallet.services.transfers import Cause

CREDITS = 1000
STAKE = 100
NEVER_MS = 3_600_000
ENTROPY = b"x" * 16
Fields = dict[str, Any]


def newcomer(role: str) -> User:
    return player(f"{role}{uuid4().hex[:12]}", CREDITS)


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text)


def attempt(do: Any, *args: Any) -> str:
    """Do it; "" when it was done, else the code of the refusal."""
    try:
        do(*args)
    except Refused as refusal:
        return refusal.code
    return ""


def funds(*user_ids: int) -> list[int]:
    return [funds_of(user_id).total for user_id in user_ids]


def reserved(*user_ids: int) -> int:
    return sum(funds_of(user_id).reserved for user_id in user_ids)


# --- over an announced game -----------------------------------------------------------------------


class OverSeek:
    """Two processes want the same announced game."""

    @staticmethod
    def arrange() -> Fields:
        now = timezone.now()
        owner, joiner, rival = (newcomer(role) for role in ("owner", "joiner", "rival"))
        seek = announcing.announce(owner, announcement(stake=STAKE), now)
        return {
            "seek": seek.public_id,
            "expires_at": seek.expires_at.isoformat(),
            "users": [owner.pk, joiner.pk, rival.pk],
        }

    @staticmethod
    def join(fields: Fields, number: int, now: datetime | None = None) -> str:
        user = User.objects.get(pk=fields["users"][number])
        return attempt(joining.join, fields["seek"], user, now or timezone.now())

    @staticmethod
    def judged(fields: Fields) -> tuple[Seek, list[int]]:
        """The announcement as it ended, with the books of its three people right."""
        seek = Seek.objects.get(public_id=fields["seek"])
        users = fields["users"]
        joined = seek.match is not None
        assert Match.objects.filter(seats__user__in=users).distinct().count() == int(joined)
        assert seek.state != Seek.State.OPEN
        assert reserved(*users) == 0
        assert sum(funds(*users)) == 3 * CREDITS - 2 * STAKE * joined
        if seek.match is not None:
            pot = Account.objects.get(code=f"match:{seek.match.public_id}")
            assert pot.balance_credits == 2 * STAKE
        return seek, funds(*users)


class TwoJoiners(OverSeek):
    @classmethod
    def one(cls, fields: Fields) -> str:
        return cls.join(fields, 1)

    @classmethod
    def other(cls, fields: Fields) -> str:
        return cls.join(fields, 2)

    @classmethod
    def judge(cls, fields: Fields, answers: list[str]) -> str:
        _seek, left = cls.judged(fields)
        assert sorted(answers) == ["", "gone"], answers
        paid = CREDITS - STAKE
        one_won = answers[0] == ""
        assert left == ([paid, paid, CREDITS] if one_won else [paid, CREDITS, paid])
        return "one" if one_won else "other"


class JoinAgainstCancel(OverSeek):
    @classmethod
    def one(cls, fields: Fields) -> str:
        return cls.join(fields, 1)

    @classmethod
    def other(cls, fields: Fields) -> str:
        owner = User.objects.get(pk=fields["users"][0])
        return attempt(ending.cancel, fields["seek"], owner, timezone.now())

    @classmethod
    def judge(cls, fields: Fields, answers: list[str]) -> str:
        seek, _left = cls.judged(fields)
        assert sorted(answers) == ["", "gone"], answers
        assert (seek.match is not None) == (answers[0] == "")
        return "one" if seek.match else "other"


class JoinAgainstExpiry(OverSeek):
    @classmethod
    def one(cls, fields: Fields) -> str:
        """He pressed the button in the last millisecond."""
        return cls.join(fields, 1, moment(fields["expires_at"]) - timedelta(milliseconds=1))

    @staticmethod
    def other(fields: Fields) -> str:
        expiry.settle_due(moment(fields["expires_at"]))
        return ""

    @classmethod
    def judge(cls, fields: Fields, answers: list[str]) -> str:
        seek = Seek.objects.get(public_id=fields["seek"])
        if seek.state == Seek.State.OPEN:  # the clock passed by while it was locked: comes again
            assert answers[0] != "", "joined and open"
            expiry.settle_due(moment(fields["expires_at"]))
        seek, _left = cls.judged(fields)
        assert answers[0] == ("" if seek.match else "gone"), answers
        assert seek.state in (Seek.State.JOINED, Seek.State.EXPIRED)
        return "one" if seek.match else "other"


# --- over a match that runs -----------------------------------------------------------------------


def new_match(now: datetime, rules: Rules | None = None) -> Fields:
    """A match between two newcomers who both sit at the table, the dice shaken."""
    white, black = newcomer("white"), newcomer("black")
    terms = announcement(stake=STAKE, length=1)
    seek = announcing.announce(white, replace(terms, rules=rules or terms.rules), now)
    match = joining.join(seek.public_id, black, now)
    users = {Side.WHITE: white.pk, Side.BLACK: black.pk}
    holders = {side: uuid4() for side in Side}
    for side in Side:
        seats.take(match.public_id, Actor(user_id=users[side]), holders[side], now)
    fields = {
        "match": match.public_id,
        "users": [users[side] for side in Side],
        "holders": [str(holders[side]) for side in Side],
    }
    shake(fields, now)
    return fields


def shake(fields: Fields, now: datetime) -> None:
    """Both add to the dice: the first game begins."""
    for side in Side:
        submit(fields, side, "entropy_hash", now, hash=hashlib.sha256(ENTROPY).hexdigest())
    for side in Side:
        submit(fields, side, "entropy", now, entropy=ENTROPY.hex())


def actor_of(fields: Fields, side: Side) -> Actor:
    number = list(Side).index(side)
    return Actor(user_id=fields["users"][number], holder=UUID(fields["holders"][number]))


def submit(fields: Fields, side: Side, t: str, now: datetime, **more: Any) -> None:
    match = Match.objects.get(public_id=fields["match"])
    command = Command(t, uuid4(), match.seq, more)
    actions.submit(match.public_id, actor_of(fields, side), command, now)


def judged(fields: Fields) -> Match:
    """The match, its log folding to its snapshot and its credits where they belong."""
    match = Match.objects.get(public_id=fields["match"])
    log = [row.engine_action for row in match.actions.order_by("seq")]
    assert dumps(fold(match.match_rules, log)) == match.snapshot
    pot = Account.objects.get(code=f"match:{match.public_id}")
    assert reserved(*fields["users"]) == 0
    if not match.is_finished:
        assert pot.balance_credits == 2 * STAKE
        assert funds(*fields["users"]) == [CREDITS - STAKE] * 2
        return match
    assert pot.balance_credits == 0
    won, lost = CREDITS + STAKE - STAKE // 10, CREDITS - STAKE
    ends = [won if side.value == match.winner else lost for side in Side]
    assert funds(*fields["users"]) == (ends if match.winner else [CREDITS] * 2)
    assert not match.seats.filter(is_live_stake=True).exists()
    return match


class FlagAgainstMove:
    """His move arrives in the last millisecond while the worker looks at the clock."""

    @staticmethod
    def arrange() -> Fields:
        fields = new_match(timezone.now())
        match = Match.objects.get(public_id=fields["match"])
        state = match.state
        assert state.clock is not None
        flag_at_ms = state.clock.flag_at_ms()
        assert flag_at_ms is not None
        side = on_turn(state)
        assert side is not None
        flag_at = match.created_at + timedelta(milliseconds=flag_at_ms)
        play = some_play(state) if state.phase is Phase.TO_PLAY else ""
        return {**fields, "flag_at": flag_at.isoformat(), "side": side.value, "play": play}

    @staticmethod
    def one(fields: Fields) -> str:
        now = moment(fields["flag_at"]) - timedelta(milliseconds=1)
        if fields["play"]:
            return attempt(
                lambda: submit(fields, Side(fields["side"]), "play", now, d=fields["play"])
            )
        return attempt(lambda: submit(fields, Side(fields["side"]), "roll", now))

    @staticmethod
    def other(fields: Fields) -> str:
        deadlines.settle(fields["match"], moment(fields["flag_at"]))
        return ""

    @staticmethod
    def judge(fields: Fields, answers: list[str]) -> str:
        match = Match.objects.get(public_id=fields["match"])
        if not match.is_finished and answers[0]:
            deadlines.settle(fields["match"], moment(fields["flag_at"]))  # the worker comes again
        match = judged(fields)
        verbs = list(match.actions.values_list("verb", flat=True))
        is_flagged = match.is_finished
        assert verbs.count("flag") == int(is_flagged)
        moved = verbs.count("roll" if not fields["play"] else "play")
        assert moved == int(not is_flagged), verbs
        assert answers[0] in (("finished", "out_of_time", "stale") if is_flagged else ("",))
        if is_flagged:
            assert (match.outcome, match.winner) == ("flag", Side(fields["side"]).other.value)
        return "other" if is_flagged else "one"


class ClaimAgainstReturn:
    """One claims the win at the moment at which the other is back."""

    @staticmethod
    def arrange() -> Fields:
        now = timezone.now()
        fields = new_match(now)
        state = Match.objects.get(public_id=fields["match"]).state
        side = on_turn(state)
        assert side is not None
        # Who waits for the other's move claims, or who is to move: it makes no difference.
        seats.leave(fields["match"], actor_of(fields, side.other), now)
        later = now + timedelta(milliseconds=FOR_CREDITS.absence_budget_ms)
        return {**fields, "side": side.value, "now": later.isoformat()}

    @staticmethod
    def one(fields: Fields) -> str:
        return attempt(lambda: submit(fields, Side(fields["side"]), "claim", moment(fields["now"])))

    @staticmethod
    def other(fields: Fields) -> str:
        side = Side(fields["side"]).other
        actor = Actor(user_id=fields["users"][list(Side).index(side)])
        return attempt(seats.take, fields["match"], actor, uuid4(), moment(fields["now"]))

    @staticmethod
    def judge(fields: Fields, answers: list[str]) -> str:
        match = judged(fields)
        assert answers[1] == ""  # his page opens in any case
        assert answers[0] == ("" if match.is_finished else "not_absent")
        if match.is_finished:
            assert (match.outcome, match.winner) == ("claim", fields["side"])
        assert list(match.actions.values_list("verb", flat=True)).count("claim") == int(
            match.is_finished
        )
        seat = Seat.objects.get(match=match, side=Side(fields["side"]).other.value)
        assert not seat.is_absent
        return "one" if match.is_finished else "other"


# --- over a rematch -------------------------------------------------------------------------------


def rematch(fields: Fields, side: Side, t: str) -> None:
    match = Match.objects.get(public_id=fields["match"])
    command = Command(t, uuid4(), match.seq, {})
    rematches.submit(match.public_id, actor_of(fields, side), command, moment(fields["now"]))


def finished_match() -> Fields:
    now = timezone.now()
    fields = new_match(now)
    submit(fields, Side.WHITE, "resign_match", now)
    return {**fields, "now": now.isoformat()}


def rematch_is_paid(match: Match | None, users: list[int]) -> None:
    """Both stakes are in the pot of the rematch, if there is one."""
    ends = [CREDITS - STAKE, CREDITS + STAKE - STAKE // 10]
    if match is not None:
        pot = Account.objects.get(code=f"match:{match.public_id}")
        assert pot.balance_credits == 2 * STAKE
        ends = [end - STAKE for end in ends]
    assert funds(*users) == ends


class BothPressRematch:
    @staticmethod
    def arrange() -> Fields:
        return finished_match()

    @staticmethod
    def one(fields: Fields) -> str:
        return attempt(rematch, fields, Side.WHITE, "rematch_offer")

    @staticmethod
    def other(fields: Fields) -> str:
        return attempt(rematch, fields, Side.BLACK, "rematch_offer")

    @staticmethod
    def judge(fields: Fields, answers: list[str]) -> str:
        assert answers == ["", ""], answers
        match = Match.objects.get(rematch_of__public_id=fields["match"])
        rematch_is_paid(match, fields["users"])
        assert reserved(*fields["users"]) == 0
        [offer] = match.rematch_of.rematch_offers.all()  # type: ignore[union-attr]
        return "one" if offer.side == Side.WHITE else "other"


class RematchAgainstJoin:
    """White accepts the rematch while somebody joins the game that White announced meanwhile."""

    @staticmethod
    def arrange() -> Fields:
        fields = finished_match()
        white = User.objects.get(pk=fields["users"][0])
        rematch(fields, Side.BLACK, "rematch_offer")
        seek = announcing.announce(white, announcement(stake=STAKE), moment(fields["now"]))
        return {**fields, "seek": seek.public_id, "third": newcomer("third").pk}

    @staticmethod
    def one(fields: Fields) -> str:
        return attempt(rematch, fields, Side.WHITE, "rematch_accept")

    @staticmethod
    def other(fields: Fields) -> str:
        third = User.objects.get(pk=fields["third"])
        return attempt(joining.join, fields["seek"], third, moment(fields["now"]))

    @staticmethod
    def judge(fields: Fields, answers: list[str]) -> str:
        users = [*fields["users"], fields["third"]]
        assert Seat.objects.filter(user=users[0], is_live_stake=True).count() == 1
        assert reserved(*users) == 0
        seek = Seek.objects.get(public_id=fields["seek"])
        match = Match.objects.filter(rematch_of__public_id=fields["match"]).first()
        assert (match is None) != (seek.match is None)
        if match is None:
            assert answers == ["busy", ""], answers
            total = sum(funds(*users))
            assert total == 3 * CREDITS - STAKE // 10 - 2 * STAKE
            return "other"
        assert answers == ["", "gone"]
        assert seek.state == Seek.State.CANCELED
        rematch_is_paid(match, fields["users"])
        return "one"


RACES: dict[str, Any] = {
    race.__name__: race
    for race in (
        TwoJoiners,
        JoinAgainstCancel,
        JoinAgainstExpiry,
        FlagAgainstMove,
        ClaimAgainstReturn,
        BothPressRematch,
        RematchAgainstJoin,
    )
}


# --- deadlines (deadlines.py) ---------------------------------------------------------------------


def unsought_match(now: datetime, delay_ms: int | None = None) -> tuple[Match, list[int]]:
    """A match between two newcomers that no announcement came before."""
    users = [newcomer("white").pk, newcomer("black").pk]
    rules = announcement().rules
    rules = replace(rules, delay_ms=delay_ms or rules.delay_ms)
    with writing():
        ids = {id: accounts.of_user(id).pk for id in users}
        held = [
            holds.open(f"hold:{id}", ids[id], STAKE, Cause("stake"), now).pk for id in sorted(users)
        ]
        terms = matches.Terms(rules, STAKE, STAKE // 10)
        match = matches.create_stake(terms, dict(zip(Side, users, strict=True)), held, now)
    return match, users


def arrange_turn(at: datetime) -> Fields:
    """The clock of whoever is to move runs out at the moment; nobody is there."""
    rules = announcement().rules
    assert rules.delay_ms is not None
    assert rules.reserve_ms is not None
    now = at - timedelta(milliseconds=rules.delay_ms + rules.reserve_ms)
    match, users = unsought_match(now)
    fields: Fields = {"match": match.public_id, "users": users, "holders": []}
    seat_both(fields, now)
    for side in Side:
        seats.leave(match.public_id, actor_of(fields, side), now)
    match.refresh_from_db()
    assert match.wake_at == at
    return fields


def seat_both(fields: Fields, now: datetime) -> None:
    """Both sit down, and the dice are shaken."""
    for user_id in fields["users"]:
        holder = uuid4()
        fields["holders"].append(str(holder))
        seats.take(fields["match"], Actor(user_id=user_id), holder, now)
    shake(fields, now)


def arrange_no_start(at: datetime) -> Fields:
    """Nobody came."""
    match, users = unsought_match(at - FOR_CREDITS.no_start_after)
    return {"match": match.public_id, "users": users}


def arrange_both_gone(kind: str, when: str) -> Fields:
    """A match that ends at the moment since both are gone, and who wins it then."""
    fields = arrange_turn(moment(when)) if kind == "turn" else arrange_no_start(moment(when))
    loser = on_turn(Match.objects.get(public_id=fields["match"]).state)
    return {**fields, "winner": loser.other.value if loser else ""}


def judge_match(fields: Fields) -> None:
    judged(fields)


def arrange_absence(at: datetime) -> None:
    """White was last heard of so that he is thought gone at the moment; Black is there for long."""
    now = at - seats.SILENCE
    match, users = unsought_match(now, delay_ms=NEVER_MS)  # a slow machine sees no flag fall here
    fields: Fields = {"match": match.public_id, "users": users, "holders": []}
    seat_both(fields, now)
    Seat.objects.filter(match=match, side=Side.BLACK).update(seen_at=now + timedelta(days=1))


def arrange_announcement(at: datetime) -> None:
    announcing.announce(newcomer("owner"), announcement(stake=STAKE), at - expiry.LIFETIME)


def arrange_deadlines(orders: list[tuple[str, str]]) -> int:
    """Make deadlines of these kinds at these moments."""
    for kind, at in orders:
        globals()[f"arrange_{kind}"](moment(at))
    return len(orders)


def unsettled() -> int:
    """How many deadlines that have passed wait still."""
    now = timezone.now()
    return (
        Match.objects.filter(wake_at__lte=now).count()
        + Seek.objects.filter(state=Seek.State.OPEN, expires_at__lte=now).count()
        + Seat.objects.filter(
            is_live_stake=True, holder__isnull=False, seen_at__lt=now - seats.SILENCE
        ).count()
    )


def faults_of_books() -> list[str]:
    """What does not add up in the whole wallet; nothing when it reconciles."""
    faults = []
    total = Entry.objects.aggregate(sum=Sum("amount_credits"))["sum"] or 0
    if total:
        faults.append(f"all entries sum to {total}")
    moved = dict(Entry.objects.values_list("account").annotate(Sum("amount_credits")))
    held = dict(
        Hold.objects.filter(state=Hold.State.OPEN)
        .values_list("account")
        .annotate(Sum("amount_credits"))
    )
    for account in Account.objects.exclude(kind=Account.Kind.HOUSE):
        if account.balance_credits != moved.get(account.pk, 0):
            faults.append(f"{account}: {account.balance_credits} is not {moved.get(account.pk, 0)}")
        if account.held_credits != held.get(account.pk, 0):
            faults.append(f"{account}: {account.held_credits} is not held")
    return faults


def arrange(race: str, count: int) -> list[Fields]:
    return [RACES[race].arrange() for _ in range(count)]


def run(race: str, side: str, fields: Fields) -> str:
    answer: str = getattr(RACES[race], side)(fields)
    return answer


def judge(race: str, rounds: list[tuple[Fields, list[str]]]) -> list[str]:
    return [RACES[race].judge(fields, answers) for fields, answers in rounds]
