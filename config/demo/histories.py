"""The matches that the people of a demonstration have played, and their reviews."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from accounts.models import User, new_public_id
from accounts.shared.transactions import write_transaction
from config.demo.people import LEVELS, NEIGHBORS, People
from config.demo.play import play, rules_of
from games.engine.rules import Rules
from games.engine.sides import Side
from games.models import Match, Seat
from games.models.actor import Actor
from games.reviews import queue
from games.services import matches
from games.stakes import escrow
from games.stakes.terms import rake_of
from stats.services import counting, rating
from wallet.selectors import funds_of


@dataclass(frozen=True, slots=True)
class Played:
    """A match that began `days` before the command; without Black it is training.

    A match of two members is friendly if it has no stake, or if one of them has too few credits.
    """

    days: float
    white: str
    black: str = ""
    variant: str = "short"
    length: int = 1
    stake: int = 0


# Annika has played most: README.md names her first among the accounts of members.
PLAYED = (
    Played(12.4, "annika", "boris", stake=25),
    Played(11.3, "giorgi", "annika", "long", stake=25),
    Played(9.6, "annika", "leyla", "long", stake=10),
    Played(7.5, "deniz", "annika", stake=25),
    Played(6.2, "annika", variant="long"),
    Played(5.3, "annika", "elena", length=3),
    Played(4.5, "boris", "arman", "long", stake=50),
    Played(3.4, "hakan", "deniz", stake=10),
    Played(1.3, "annika", "giorgi", stake=25),
)
# Logins that ask for a review of their last match; the worker makes it when the site is served.
REVIEWED_FOR = ("annika", "boris")


def make(people: People, now: datetime) -> str:
    """Play the matches, unless one of NEIGHBORS has played; return the line to print."""
    if Seat.objects.filter(user__username__in=NEIGHBORS).exists():
        return ""
    with write_transaction():
        for played in PLAYED:
            _play(played, people, now - timedelta(days=played.days))
        for login in REVIEWED_FOR:
            _ask_for_review(people[login], now)
    rate_and_count(now)
    return f"Finished matches: {len(PLAYED)}"


def rate_and_count(now: datetime) -> None:
    """Rate and count what was played, as the worker does."""
    while rating.rate_waiting(now):
        pass
    while counting.settle_due(now):
        pass


def _play(played: Played, people: People, at: datetime) -> None:
    rules = rules_of(played.variant, played.length)
    levels = {Side.WHITE: LEVELS[played.white], Side.BLACK: LEVELS.get(played.black, "casual")}
    play(_create(played, rules, people, at), levels)


def _create(played: Played, rules: Rules, people: People, at: datetime) -> Match:
    white = people[played.white]
    if not played.black:
        training = Rules.of(played.variant, length=played.length)
        return matches.create_training(Actor(user_id=white.pk), training, Side.WHITE, "casual", at)
    both = {Side.WHITE: white.pk, Side.BLACK: people[played.black].pk}
    if played.stake and all(funds_of(pk).available >= played.stake for pk in both.values()):
        terms = matches.Terms(rules, played.stake, rake_of(played.stake))
        held = escrow.reserve(escrow.JOIN, new_public_id(), both.values(), played.stake, at)
        return matches.create_stake(terms, both, held.values(), at)
    actors = {side: Actor(user_id=user_id) for side, user_id in both.items()}
    return matches.create_friendly(rules, actors, at, is_public=True)


def _ask_for_review(user: User, now: datetime) -> None:
    own = Match.objects.filter(seats__user=user, finished_at__isnull=False)
    last = own.order_by("-finished_at").first()
    assert last is not None
    queue.ask(last.public_id, Actor(user_id=user.pk), now)
