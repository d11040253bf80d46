"""Every service that moves credits or starts play, under each limit: a member's own, age, country.

The services are found in the code (`movers.py`). A test fails for a service that has neither a row
nor a reason here, and for a row or a reason without a service.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import Profile, User
from accounts.shared.refusals import Refused
from accounts.shared.transactions import write_transaction
from games.engine.rules import Rules
from games.engine.sides import Side
from games.models import Match, RematchOffer, Seat
from games.models.actor import Actor
from games.services import matches, rematches
from games.stakes import escrow
from lobby.models import Invitation, Search, Seek
from lobby.services import announcing, inviting, joining, searching
from shop.goods import buying
from shop.models import LastGift, OwnedGood, Payment
from shop.payments import checkout
from shop.services import gifts
from tests.config.movers import graph_of, leading_to, modules, movers
from tests.games.factories import DELAY_MS, StakeSitting, command, give_history
from tests.lobby.factories import announcement
from tests.shop import goods_factories
from tests.shop.payments import factories as payments
from tests.tournaments.factories import announced
from tests.wallet.factories import player
from tournaments.models import Entrant
from tournaments.services import entering
from wallet.limits import exclusions, services
from wallet.limits.rules import Kind
from wallet.models import Entry, Hold, Transfer

pytestmark = pytest.mark.django_db

STAKE = 100
RULES = Rules.of("short", length=1, delay_ms=DELAY_MS)


@dataclass
class World:
    """Anna is the member with the limit; Boris has none."""

    anna: User
    boris: User
    now: Any


# A function that makes the rows which a call of the service needs, and returns the call.
Act = Callable[[World], Callable[[], object]]


def announce(world: World) -> Callable[[], object]:
    return lambda: announcing.announce(world.anna, announcement(STAKE), world.now)


def join(world: World) -> Callable[[], object]:
    seek = announcing.announce(world.boris, announcement(STAKE), world.now)
    return lambda: joining.join(seek.public_id, world.anna, world.now)


def search(world: World) -> Callable[[], object]:
    choice = searching.Choice(RULES, STAKE)
    return lambda: searching.start(Actor(user_id=world.anna.pk), choice, world.now)


def _finished(world: World) -> StakeSitting:
    sitting = StakeSitting(world.anna, world.boris, stake=STAKE).sit().start_game()
    sitting.do("resign_match", side=Side.BLACK)
    return sitting


def _ask(sitting: StakeSitting, name: str, side: Side) -> object:
    match = sitting.match
    return rematches.submit(match.public_id, sitting.actors[side], command(name, 0), sitting.now)


def offer_rematch(world: World) -> Callable[[], object]:
    sitting = _finished(world)
    return lambda: _ask(sitting, "rematch_offer", Side.WHITE)


def accept_rematch(world: World) -> Callable[[], object]:
    sitting = _finished(world)
    _ask(sitting, "rematch_offer", Side.BLACK)
    return lambda: _ask(sitting, "rematch_accept", Side.WHITE)


def enter_for_a_fee(world: World) -> Callable[[], object]:
    tournament = announced(world.now, fee_credits=STAKE)
    return lambda: entering.enter(tournament.public_id, world.anna, world.now)


def enter_free(world: World) -> Callable[[], object]:
    tournament = announced(world.now, fee_credits=0)
    return lambda: entering.enter(tournament.public_id, world.anna, world.now)


def reserve(world: World) -> Callable[[], object]:
    def act() -> None:
        with write_transaction():
            escrow.reserve(escrow.ANNOUNCEMENT, "x", [world.anna.pk], STAKE, world.now)

    return act


def take_gift(world: World) -> Callable[[], object]:
    return lambda: gifts.take(world.anna, world.now)


def buy_goods(world: World) -> Callable[[], object]:
    walnut = goods_factories.good("board", "walnut", STAKE)
    return lambda: buying.buy(world.anna, walnut, STAKE, world.now)


def top_up(world: World) -> Callable[[], object]:
    chosen = payments.purchase(payments.pack(STAKE))
    return lambda: checkout.begin(world.anna, chosen, payments.ADDRESSES, world.now)


def play_a_friend(world: World) -> Callable[[], object]:
    made = inviting.invite(Actor(user_id=world.boris.pk), inviting.Offer(RULES), world.now)
    actor = Actor(user_id=world.anna.pk)
    return lambda: inviting.accept(made.public_id, actor, "", world.now)


def train(world: World) -> Callable[[], object]:
    actor = Actor(user_id=world.anna.pk)
    return lambda: matches.create_training(actor, RULES, Side.WHITE, "beginner", world.now)


def _excluded_for(world: World, length: str) -> None:
    exclusions.begin(world.anna.pk, length, world.now)


def _played_long(world: World) -> None:
    services.set_limits(world.anna.pk, {Kind.SESSION: 30}, world.now)
    sitting = StakeSitting(world.anna, player("carol5"), stake=10).sit().start_game()
    sitting.do("resign_match", side=Side.BLACK)
    minutes = timedelta(minutes=1)
    Match.objects.filter(pk=sitting.match.pk).update(
        created_at=world.now - 40 * minutes, finished_at=world.now - minutes
    )


def _limited(kind: Kind) -> Callable[[World, Any], None]:
    def apply(world: World, settings: Any) -> None:
        services.set_limits(world.anna.pk, {kind: 5}, world.now)

    return apply


def _in_a_closed_country(world: World, settings: Any) -> None:
    settings.COUNTRIES_WITHOUT_STAKES = ["NL"]
    Profile.objects.filter(user=world.anna).update(country="NL")


def _of_unknown_age(world: World, settings: Any) -> None:
    settings.MINIMUM_AGE = 18


# Each limit: the code of its refusal, and a function that applies it to Anna.
LIMITS: dict[str, tuple[str, Callable[[World, Any], None]]] = {
    "time-out": ("excluded", lambda world, settings: _excluded_for(world, "day")),
    "self-exclusion": ("excluded", lambda world, settings: _excluded_for(world, "half_year")),
    "age": ("age_unconfirmed", _of_unknown_age),
    "country": ("country_closed", _in_a_closed_country),
    "stake": ("own_stake", _limited(Kind.STAKE)),
    "loss in a day": ("own_loss", _limited(Kind.LOSS_DAY)),
    "loss in a week": ("own_loss", _limited(Kind.LOSS_WEEK)),
    "loss in a month": ("own_loss", _limited(Kind.LOSS_MONTH)),
    "deposit in a day": ("own_deposit", _limited(Kind.DEPOSIT_DAY)),
    "deposit in a week": ("own_deposit", _limited(Kind.DEPOSIT_WEEK)),
    "deposit in a month": ("own_deposit", _limited(Kind.DEPOSIT_MONTH)),
    "session": ("own_session", lambda world, settings: _played_long(world)),
}
# Names of LIMITS that the rows below share.
EXCLUDED = {"time-out", "self-exclusion"}
LOSSES = {name for name in LIMITS if name.startswith("loss")}
DEPOSITS = {name for name in LIMITS if name.startswith("deposit")}
STAKES = EXCLUDED | LOSSES | {"age", "country", "stake", "session"}
FREE_ENTRY = EXCLUDED | {"session"}


@dataclass(frozen=True)
class Row:
    """A way of calling the service, and the limits that refuse it; all others allow it."""

    service: str
    act: Act
    refused_by: set[str]


ROWS = [
    Row("lobby.services.announcing.announce", announce, STAKES),
    Row("lobby.services.joining.join_within", join, STAKES),
    Row("lobby.services.searching.start", search, STAKES),
    Row("games.services.rematches.submit", offer_rematch, STAKES),
    Row("games.services.rematches.submit", accept_rematch, STAKES),
    Row("tournaments.services.entering.enter", enter_for_a_fee, STAKES),
    Row("tournaments.services.entering.enter", enter_free, FREE_ENTRY),
    Row("games.stakes.escrow.reserve", reserve, STAKES),
    Row("shop.services.gifts.take", take_gift, EXCLUDED),
    Row("shop.goods.buying.buy", buy_goods, EXCLUDED | LOSSES),
    Row(
        "shop.payments.checkout.begin",
        top_up,
        EXCLUDED | DEPOSITS | {"age", "country"},
    ),
    # Matches without credits, which no limit refuses.
    Row("lobby.services.inviting.accept", play_a_friend, set()),
    Row("games.services.matches.create_training", train, set()),
]
# Services that only call one of ROWS, which checks the limits.
THROUGH = {
    "lobby.services.joining.join": "lobby.services.joining.join_within",
    "lobby.services.pairs.join_announced": "lobby.services.joining.join_within",
    "lobby.services.pairs.pair_waiting": "lobby.services.joining.join_within",
    "lobby.services.pairs.settle_due": "lobby.services.joining.join_within",
    "tournaments.services.purse.reserve_fee": "games.stakes.escrow.reserve",
    "shop.goods.views.buy_good": "shop.goods.buying.buy",
}
# Services that check no limit, grouped by the reason.
OPEN = {
    "the ledger itself, which knows no limits; its callers check them": [
        "wallet.services.holds.capture",
        "wallet.services.holds.open",
        "wallet.services.owed.pay",
        "wallet.services.owed.settle_due",
        "wallet.services.transfers.post",
        "wallet.services.transfers.reverse",
        "wallet.services.transfers.write",
    ],
    "money has been paid or returned: its credits follow, whatever the member has set since": [
        "shop.payments.checks.check",
        "shop.payments.checks.settle_due",
        "shop.payments.facts.apply",
        "shop.payments.facts.receive",
        "shop.payments.ledger.settle",
        "shop.payments.webhooks.receive",
    ],
    "staff correct what went wrong, with a reason": [
        "shop.goods.refunds.refund",
        "stats.integrity.services.refund",
        "wallet.services.corrections.correct",
        "wallet.services.corrections.reverse",
    ],
    "welcome credits, promised at the sign-up; a second account of a person gets none": [
        "wallet.services.welcome.give",
        "wallet.services.welcome.give_next",
        "games.stakes.history.count",
    ],
    "the stakes were reserved before, when the limits were checked": [
        "games.services.matches.create_between",
        "games.services.matches.create_stake",
        "games.stakes.escrow.gather",
        "tournaments.services.purse.gather",
    ],
    "friendly matches move no credits": ["games.services.matches.create_friendly"],
    "what has begun is finished and paid": [
        "games.services.matches.create_tournament",
        "games.stakes.escrow.settle",
        "tournaments.services.purse.pay",
        "tournaments.services.purse.refund",
    ],
}
# Packages that continue matches and tournaments: moves, clocks, rounds, the end of a tournament.
CARRY_ON = ("games.services.", "tournaments.services.")
CHECKED = {row.service for row in ROWS} | set(THROUGH)
UNCHECKED = {name for names in OPEN.values() for name in names}


@pytest.fixture
def world(settings: Any) -> World:
    settings.GIFT_BELOW = 100_000
    anna, boris = player("anna5"), player("boris5")
    for user in (anna, boris):
        give_history(user)
    return World(anna, boris, timezone.now())


def written() -> list[int]:
    """Return the number of rows of each table that a service may write."""
    tables = (
        Transfer, Entry, Hold, Match, Seat, Seek, Search, Entrant, RematchOffer, Invitation,
        LastGift, OwnedGood, Payment,
    )  # fmt: skip
    return [table.objects.count() for table in tables]


def id_of(row: Row) -> str:
    return f"{row.service.rpartition('.')[2]}-{row.act.__name__}"


@pytest.mark.parametrize("row", ROWS, ids=id_of)
def test_service_is_allowed_without_a_limit(row: Row, world: World) -> None:
    row.act(world)()


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("row", ROWS, ids=id_of)
def test_service_is_refused_by_the_limits_of_its_row_and_by_no_others(
    row: Row, limit: str, world: World, settings: Any
) -> None:
    act = row.act(world)
    code, apply = LIMITS[limit]
    apply(world, settings)
    if limit not in row.refused_by:
        act()
        return
    before = written()
    with pytest.raises(Refused) as refusal:
        act()
    assert refusal.value.code == code
    assert written() == before


def test_every_service_has_a_row_or_a_reason() -> None:
    unknown = movers() - CHECKED - UNCHECKED - carried_on()
    assert unknown == set()


def test_every_row_and_reason_has_its_service() -> None:
    # Beginning a payment moves no credits. They are moved when the provider's message says that the
    # money has been paid.
    begins = {"shop.payments.checkout.begin"}
    assert (CHECKED | UNCHECKED) - begins - movers() == set()


def test_services_listed_under_a_row_lead_to_it() -> None:
    graph, _ = graph_of(modules())
    for name, row in THROUGH.items():
        assert name in leading_to(frozenset({row}), graph), name


def carried_on() -> set[str]:
    """Return the services that move credits only by ending or continuing matches and tournaments.

    They call nothing that takes credits from a member or enters one in a tournament.
    """
    graph, _ = graph_of(modules())
    taking = leading_to(
        frozenset({"games.stakes.escrow.reserve", "games.conduct.commitments.add"}), graph
    )
    return {name for name in movers() - taking if name.startswith(CARRY_ON)}
