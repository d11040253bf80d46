"""Create matches of every kind."""

import hashlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction

from accounts.models import PUBLIC_ID_ALPHABET, PUBLIC_ID_LENGTH, new_public_id
from accounts.shared.refusals import Refused
from accounts.shared.transactions import write_transaction
from games.conduct.record import suspensions_of
from games.engine import dice
from games.engine.match.actions import Commit
from games.engine.match.snapshot import SNAPSHOT_VERSION, dumps
from games.engine.match.state import new_match
from games.engine.rules import Rules
from games.engine.sides import Side
from games.models import DelayedView, Match, Seat
from games.models.actor import Actor, asker_key
from games.models.bot_pace import Pace
from games.models.delayed_view import is_delayed_at
from games.models.kind import EXHIBITION, FRIENDLY, STAKE, TOURNAMENT, TRAINING, KindPolicy
from games.selectors import are_committed
from games.services.dice import new_secret, seal
from games.services.follow_ups import apply_automatic_actions
from games.services.transaction import MatchTransaction
from games.stakes import escrow

NOTHING_BY_SIDE: Mapping[Side, str] = MappingProxyType({})
# The join window of a tournament's match.
assert TOURNAMENT.no_start_after is not None
JOIN_WINDOW = TOURNAMENT.no_start_after


@dataclass(frozen=True, slots=True)
class Terms:
    """Terms of a match between two people, agreed by both before it is created."""

    rules: Rules
    stake_credits: int = 0
    rake_credits: int = 0
    is_public: bool = True
    hides_stake: bool = False


def create_training(
    player: Actor,
    rules: Rules,
    side: Side,
    level: str,
    now: datetime,
    pace: str = Pace.QUICK,
    once: UUID | None = None,
) -> Match:
    """Create a match against a bot; `level` is its code in `games.ai.bots.levels`.

    `once` is an id of the player's form: return the match that the same form has made, unless it is
    over.
    """
    public_id = None if once is None else _public_id_of(once, player)
    with write_transaction():
        if once and Match.objects.filter(public_id=public_id, finished_at__isnull=False).exists():
            public_id = None
        try:
            with transaction.atomic():
                match = _create(TRAINING, rules, now, public_id, bot_pace=pace)
        except IntegrityError:  # the form was sent twice
            return Match.objects.get(public_id=public_id)
        _create_seat(match, side, player, now)
        _create_bot_seat(match, side.other, level)
        _commit(match, now)
    return match


def create_stake(
    terms: Terms,
    players: Mapping[Side, int],
    hold_ids: Collection[int],
    now: datetime,
    rematch_of: Match | None = None,
) -> Match:
    """Create a match between two members (user ids by side) whose stakes are held already.

    Must run in the caller's transaction. Raises as `create_between` does.
    """
    members = {side: Actor(user_id=user_id) for side, user_id in players.items()}
    return create_between(STAKE, terms, members, now, hold_ids=hold_ids, rematch_of=rematch_of)


def create_friendly(
    rules: Rules,
    players: Mapping[Side, Actor],
    now: datetime,
    *,
    is_public: bool = False,
    guest_names: Mapping[Side, str] = NOTHING_BY_SIDE,
) -> Match:
    """Create a friendly match between two people, members or guests.

    Must run in the caller's transaction. `guest_names` are the names that the guests have chosen.
    """
    terms = Terms(rules, is_public=is_public)
    return create_between(FRIENDLY, terms, players, now, guest_names=guest_names)


def create_tournament(
    rules: Rules,
    players: Mapping[Side, int],
    now: datetime,
    *,
    bots: Mapping[Side, str] = NOTHING_BY_SIDE,
    is_rated: bool = True,
) -> Match:
    """Create a match of a tournament between members (user ids by side) and bots (levels by side).

    Must run in the caller's transaction. A match of two bots begins at once.
    """
    members = {side: Actor(user_id=user_id) for side, user_id in players.items()}
    kind = TOURNAMENT if is_rated else EXHIBITION
    match = create_between(kind, Terms(rules), members, now, bots=bots)
    if not members:
        tx = MatchTransaction.of(match, now)
        apply_automatic_actions(tx)
        tx.save()
    return match


def create_between(
    kind: KindPolicy,
    terms: Terms,
    players: Mapping[Side, Actor],
    now: datetime,
    *,
    hold_ids: Collection[int] = (),
    rematch_of: Match | None = None,
    guest_names: Mapping[Side, str] = NOTHING_BY_SIDE,
    bots: Mapping[Side, str] = NOTHING_BY_SIDE,
) -> Match:
    """Create a match of a kind between two people; `bots` are the levels on sides without a person.

    `hold_ids` are the holds of the stakes, of a staked match only. Must run in the caller's
    transaction. Raises, for a staked match, `Refused("busy")` if a player plays another one,
    `Refused("paused")` if a player is suspended, `Refused("committed")` if a player is expected
    elsewhere soon, and `WalletError`. Raises ValueError for a guest, a bot or rules without a clock
    if the kind forbids them.
    """
    if kind.is_staked and are_committed(_user_ids(players), now):
        raise Refused("committed")
    match = _create(
        kind,
        terms.rules,
        now,
        stake_credits=terms.stake_credits,
        rake_credits=terms.rake_credits,
        is_public=terms.is_public and kind.is_watchable,
        hides_stake=terms.hides_stake,
        is_delayed=terms.is_public
        and is_delayed_at(terms.stake_credits, hides_stake=terms.hides_stake),
        **_series_fields(rematch_of),
    )
    try:
        with transaction.atomic():
            for side, player in players.items():
                _create_seat(match, side, player, now, guest_names.get(side, ""))
            for side, level in bots.items():
                _create_bot_seat(match, side, level)
            if kind.brings_strikes:
                _need_no_suspension(_user_ids(players), now)
    except IntegrityError as error:  # a member has one live stake at most
        raise Refused("busy") from error
    if match.is_delayed:
        view = match.snapshot
        DelayedView.objects.create(match=match, shown=view, shown_at=now, held=view)
    _commit(match, now)
    if kind.is_staked:
        escrow.gather(match, hold_ids, now)
    return match


def _user_ids(players: Mapping[Side, Actor]) -> list[int]:
    return [player.user_id for player in players.values() if player.user_id is not None]


def _need_no_suspension(user_ids: Collection[int], now: datetime) -> None:
    """Raise Refused("paused") if one of the members is suspended.

    Call it with the seats created: they wait for the end of a member's other staked match, which
    may bring a strike.
    """
    if any(suspensions_of(user_ids, now).values()):
        raise Refused("paused")


def _create_seat(
    match: Match, side: Side, player: Actor, now: datetime, guest_name: str = ""
) -> None:
    """Create a player's seat; a kind with an absence budget counts them absent until they join."""
    kind = match.policy
    if player.guest is not None and not kind.allows_guests:
        raise ValueError(f"no guest plays a match of kind {kind.code}")
    absence: dict[str, Any] = {}
    if kind.absence_budget_ms is not None:
        absence = {
            "is_absent": True,
            "absence_left_ms": kind.absence_budget_ms,
            "absence_at": now,
        }
    Seat.objects.create(
        match=match,
        side=side.value,
        user_id=player.user_id,
        guest=player.guest,
        guest_name=guest_name,
        is_live_stake=kind.is_staked,
        **absence,
    )


def _create_bot_seat(match: Match, side: Side, level: str) -> None:
    if not match.policy.may_seat_bots:
        raise ValueError(f"no bot plays a match of kind {match.kind}")
    Seat.objects.create(match=match, side=side.value, bot=level)


def _series_fields(old: Match | None) -> dict[str, Any]:
    """Return the fields of a rematch that continue the series; the players swap sides."""
    if old is None:
        return {}
    wins = old.series
    return {
        "rematch_of": old,
        "series_white": wins[Side.BLACK],
        "series_black": wins[Side.WHITE],
    }


def _create(
    kind: KindPolicy, rules: Rules, now: datetime, public_id: str | None = None, **fields: Any
) -> Match:
    if kind.needs_clock and rules.delay_ms is None:
        raise ValueError(f"a match of kind {kind.code} needs a clock")
    state, secret = new_match(rules), new_secret()
    return Match.objects.create(
        public_id=public_id or new_public_id(),
        kind=kind.code,
        variant=rules.variant.value,
        rules=rules.to_dict(),
        rules_version=rules.version,
        snapshot=dumps(state),
        snapshot_version=SNAPSHOT_VERSION,
        phase=state.phase.value,
        commitment=dice.commitment(secret),
        sealed_secret=seal(secret),
        created_at=now,
        **fields,
    )


def _public_id_of(once: UUID, player: Actor) -> str:
    """Return the public id of the match that a form creates; it differs from player to player."""
    digest = hashlib.sha256(f"{once} {asker_key(player)}".encode()).digest()
    size = len(PUBLIC_ID_ALPHABET)
    return "".join(PUBLIC_ID_ALPHABET[byte % size] for byte in digest[:PUBLIC_ID_LENGTH])


def _commit(match: Match, now: datetime) -> None:
    """Log the commitment to the dice secret as action 1, before any player can act."""
    tx = MatchTransaction.of(match, now)
    tx.act(lambda at: Commit(at_ms=at, hash=match.commitment))
    tx.save()
