"""Every page of the site, over a database that has rows for each list.

Each URL except the admin's is in `PAGES`, or in `NOT_PAGES` with the reason.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from allauth.account import app_settings
from allauth.account.forms import default_token_generator
from allauth.account.models import EmailAddress
from allauth.account.utils import user_pk_to_url_str
from django.core import signing
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import Profile, PushSubscription, User
from accounts.notices.emails import token_of
from accounts.people import blocks, friends, notes
from accounts.social import added_email
from accounts.social.sites import NAMES
from chat.direct import services as direct
from chat.models import Message, Report, Ticket
from chat.services import messages as chat
from chat.services import moderation
from games.engine.match.state import Phase
from games.engine.rules import Rules
from games.engine.sides import Side
from games.models import Match, Strike
from games.models.actor import Actor
from lobby.models import Invitation, Seek
from lobby.services import announcing, inviting, presets
from shop.models import Debt, Payment
from shop.payments import samples as packs
from shop.payments.providers.port import Facts
from stats.services import sharing
from stats.services.counting import settle_due as count_seats
from stats.services.rating import rate_waiting
from stats.services.reviewed import enter as count_reviews
from stats.services.reviewed import settle_due as settle_reviews
from tests.accounts.factories import (
    PASSWORD,
    RegisteredFactory,
    UserFactory,
    sign_in,
    sign_in_now,
    staff,
)
from tests.accounts.second_factor.factories import with_second_factor
from tests.accounts.social.facebook_dance import dance
from tests.chat.factories import MessageFactory
from tests.chat.support.factories import answered, asked, token_of_request
from tests.config.access import every_pattern
from tests.games.factories import MatchFactory, StakeMatchFactory, StakeSitting, give_history
from tests.games.played_out import play_out
from tests.games.reviews.reviewing import reviewed
from tests.lobby.factories import announcement
from tests.shop import goods_factories
from tests.shop.payments.factories import begun, disputed, paid_facts, refunded, told
from tests.tournaments.factories import TournamentRun, announced, enter, plan
from tests.wallet.factories import player
from tournaments.models import Tournament
from tournaments.services import announcing as announcing_tournaments
from tournaments.services.timeline import Ruling

VISITOR, MEMBER, STAFF = "visitor", "member", "staff"
# A member who has no email, and a visitor who comes from Facebook for the first time.
NO_EMAIL, FROM_FACEBOOK = "member without email", "from Facebook"
HALFWAY = "member between password and code"


@dataclass(frozen=True)
class Shown:
    """A page as one visitor opens it: its arguments, query and status."""

    who: str = VISITOR
    args: Callable[["Gallery"], list[str]] = lambda gallery: []
    status: int = 200
    query: str | Callable[["Gallery"], str] = ""

    def address(self, name: str, gallery: "Gallery") -> str:
        query = self.query if isinstance(self.query, str) else self.query(gallery)
        return reverse(name, args=self.args(gallery)) + query


@dataclass(frozen=True)
class Gallery:
    """Anna is the member who opens the pages, Boris the opponent; two others play."""

    anna: User
    boris: User
    staff: User
    seek: Seek
    invitation: Invitation
    watched: Match
    finished: Match
    training: Match
    unconfirmed: EmailAddress
    without_email: User
    tournaments: dict[str, Tournament]
    written: Message
    payments: dict[str, Payment]
    ticket: Ticket
    by_email: Ticket

    def browsers(self) -> dict[str, Client]:
        """Return a browser of each visitor, signed in where the visitor is a member.

        The settings must have keys of Facebook, and a fake of Facebook must answer.
        """
        newcomer = Client()
        dance(newcomer)
        halfway = Client()
        halfway.post("/account/login/", {"login": self.staff.username, "password": PASSWORD})
        return {
            VISITOR: Client(),
            MEMBER: sign_in(Client(), self.anna),
            STAFF: sign_in(Client(), self.staff),
            NO_EMAIL: sign_in_now(Client(), self.without_email),
            FROM_FACEBOOK: newcomer,
            HALFWAY: halfway,
        }

    def addresses(self, who: str) -> list[tuple[str, int]]:
        """Return the address and status of each page that this visitor opens."""
        return [
            (shown.address(name, self), shown.status)
            for name, each in PAGES.items()
            for shown in each
            if shown.who == who
        ] + ([("/no/such/page/", 404)] if who == VISITOR else [])


def of_boris(gallery: Gallery) -> list[str]:
    return [gallery.boris.public_id]


def of_anna(gallery: Gallery) -> list[str]:
    return [gallery.anna.public_id]


def of_year(gallery: Gallery) -> list[str]:
    return [str(timezone.now().year)]


def of_shared_recap(gallery: Gallery) -> list[str]:
    return [gallery.anna.shared_recaps.get().token]


def confirmation(gallery: Gallery) -> list[str]:
    return [signing.dumps(gallery.unconfirmed.pk, salt=app_settings.SALT)]


def reset(gallery: Gallery) -> list[str]:
    token = default_token_generator.make_token(gallery.boris)
    return [user_pk_to_url_str(gallery.boris), token]


def added(gallery: Gallery) -> list[str]:
    return [signing.dumps([gallery.without_email.pk, "new@example.org"], salt=added_email.SALT)]


def tournament(key: str) -> Callable[[Gallery], list[str]]:
    return lambda gallery: [gallery.tournaments[key].public_id]


def payment(state: str) -> Callable[[Gallery], list[str]]:
    return lambda gallery: [gallery.payments[state].public_id]


def slug(text: str) -> Callable[[Gallery], list[str]]:
    return lambda gallery: [text]


PAYMENT_STATES = ("PENDING", "PAID", "EXPIRED", "FAILED", "REFUNDED", "DISPUTED")
OPEN = [Shown()]
MEMBERS = [Shown(MEMBER)]
BOTH = [Shown(), Shown(MEMBER)]

PAGES: dict[str, list[Shown]] = {
    "home": BOTH,
    "about": OPEN,
    "terms": OPEN,
    "privacy": OPEN,
    "fair_play": OPEN,
    "responsible_play": OPEN,
    "rules_short": OPEN,
    "rules_long": OPEN,
    "manual": [Shown(), Shown(query="?q=dice"), Shown(query="?q=qqqqqq")],
    "manual_chapter": [Shown(args=slug("table")), Shown(MEMBER, slug("settings"))],
    "lessons_short": BOTH,
    "lessons_long": OPEN,
    "lesson_short": [Shown(VISITOR, lambda g: ["hitting"]), Shown(MEMBER, lambda g: ["cube"])],
    "lesson_long": [Shown(VISITOR, lambda g: ["head"])],
    "whats_new": OPEN,
    "games:training": BOTH,
    "games:finished": MEMBERS,
    "games:match": [
        Shown(VISITOR, lambda g: [g.watched.public_id]),
        Shown(MEMBER, lambda g: [g.training.public_id]),
        Shown(MEMBER, lambda g: [g.finished.public_id]),
    ],
    "games:result": [Shown(VISITOR, lambda g: [g.finished.public_id])],
    "games:review": [Shown(MEMBER, lambda g: [g.finished.public_id], query="?game=1&step=9")],
    "account_signup": OPEN,
    "account_login": OPEN,
    "account_logout": MEMBERS,
    "account_inactive": OPEN,
    "account_email_verification_sent": OPEN,
    "account_confirm_email": [Shown(args=confirmation), Shown(args=lambda g: ["x"], status=410)],
    "account_reset_password": OPEN,
    "account_reset_password_done": OPEN,
    "account_reset_password_from_key": [
        Shown(args=reset),
        Shown(args=lambda g: ["1", "wrong-key"], status=410),
    ],
    "account_reset_password_from_key_done": OPEN,
    "account_change_password": MEMBERS,
    "account_add_email": [Shown(NO_EMAIL)],
    "socialaccount_signup": [Shown(FROM_FACEBOOK)],
    "account_code": [Shown(HALFWAY)],
    "account_second_factor": [Shown(MEMBER), Shown(STAFF)],
    "account_second_factor_setup": [Shown(NO_EMAIL)],
    "account_law": MEMBERS,
    "account_sessions": MEMBERS,
    "account_outbox": [Shown(STAFF)],
    "account_confirm_added_email": [Shown(args=added), Shown(args=lambda g: ["x"], status=410)],
    "account_reauthenticate": MEMBERS,
    "socialaccount_connections": MEMBERS,
    "socialaccount_login_cancelled": OPEN,
    "socialaccount_login_error": [Shown(status=401)],
    "people:profile": MEMBERS,
    "people:close": MEMBERS,
    "people:notices": [Shown(MEMBER), Shown(NO_EMAIL)],
    "people:stop_emails": [Shown(args=lambda g: [token_of(g.anna)])],
    "people:friends": [Shown(MEMBER), Shown(STAFF)],
    "people:player": [Shown(VISITOR, of_boris), Shown(MEMBER, of_boris)],
    "people:card": [Shown(MEMBER, of_boris)],
    "chat:conversations": [Shown(MEMBER), Shown(MEMBER, query="?show=met"), Shown(STAFF)],
    "chat:conversation": [Shown(MEMBER, of_boris), Shown(STAFF, of_boris)],
    "chat:report": [Shown(MEMBER, lambda g: [*of_boris(g), g.written.pk])],
    "chat:rules": BOTH,
    "chat:report_player": [
        Shown(MEMBER, of_boris, query=lambda g: f"?match={g.finished.public_id}"),
        Shown(STAFF, of_boris),
    ],
    "chat:muted": MEMBERS,
    "chat:silence": MEMBERS,
    "support:start": BOTH,
    "support:questions": [
        Shown(VISITOR, slug("credits")),
        Shown(MEMBER, slug("match")),
        Shown(MEMBER, slug("player")),
        Shown(VISITOR, slug("account")),
        Shown(VISITOR, slug("bug")),
    ],
    "support:write": [
        Shown(VISITOR, slug("bug"), query="?page=/play/"),
        Shown(MEMBER, slug("idea")),
        Shown(NO_EMAIL, slug("other")),
    ],
    "support:sent": OPEN,
    "support:mine": [Shown(MEMBER), Shown(STAFF)],
    "support:ticket": [Shown(MEMBER, lambda g: [g.ticket.public_id])],
    "support:by_link": [Shown(VISITOR, lambda g: [token_of_request(g.by_email)])],
    "lobby:lobby": BOTH,
    "lobby:conduct": MEMBERS,
    "lobby:announce": MEMBERS,
    "lobby:presets": MEMBERS,
    "lobby:wishes": MEMBERS,
    "lobby:friend": BOTH,
    "lobby:play_now": BOTH,
    "lobby:invitation": [
        Shown(VISITOR, lambda g: [g.invitation.public_id]),
        Shown(MEMBER, lambda g: [g.invitation.public_id]),
    ],
    "lobby:running": [Shown(VISITOR, lambda g: [g.watched.public_id])],
    "lobby:challenge": [Shown(STAFF, of_boris)],
    "lobby:seek": [Shown(MEMBER, lambda g: [g.seek.public_id])],
    "tournaments:tournaments": BOTH,
    "tournaments:list": [
        Shown(MEMBER, lambda g: ["mine"]),
        Shown(VISITOR, lambda g: ["running"]),
        Shown(VISITOR, lambda g: ["completed"], query="?q=xyzzy"),
    ],
    "tournaments:tournament": [
        Shown(VISITOR, tournament("announced")),
        Shown(MEMBER, tournament("announced")),
        Shown(VISITOR, tournament("knockout")),
        Shown(MEMBER, tournament("round_robin")),
        Shown(VISITOR, tournament("swiss")),
    ],
    "tournaments:propose": MEMBERS,
    "tournaments:tv": [
        Shown(VISITOR, tournament("knockout")),
        Shown(MEMBER, tournament("announced")),
    ],
    "tournaments:season": [Shown(VISITOR), Shown(MEMBER, query="?season=all")],
    "stats:leaders": [Shown(VISITOR), Shown(MEMBER, query="?by=winnings")],
    "stats:dice": MEMBERS,
    "stats:achievements": [
        Shown(VISITOR, of_boris),
        Shown(MEMBER, lambda g: [g.anna.public_id]),
    ],
    "stats:site_dice": [Shown(VISITOR), Shown(MEMBER)],
    "stats:opponents": MEMBERS,
    "stats:opponent": [Shown(MEMBER, of_boris)],
    "stats:rating": [Shown(VISITOR, of_boris)],
    "stats:statistics": [Shown(VISITOR, of_boris), Shown(MEMBER, of_anna)],
    "stats:matches": [
        Shown(VISITOR, of_boris),
        Shown(MEMBER, of_anna),
        Shown(MEMBER, of_anna, query="?variant=long&against=guest"),
    ],
    "stats:skill": [Shown(MEMBER), Shown(STAFF)],
    "stats:recap_of_year": [Shown(MEMBER, of_year), Shown(STAFF, of_year)],
    "stats:shared_recap": [Shown(VISITOR, of_shared_recap)],
    "wallet:limits": MEMBERS,
    "wallet:take_break": [Shown(MEMBER, lambda gallery: ["week"])],
    "wallet:age": MEMBERS,
    "wallet:help": [Shown(VISITOR)],
    "wallet:statement": MEMBERS,
    "shop:shop": BOTH,
    "shop:checkers": BOTH,
    "shop:owned": [Shown(MEMBER), Shown(STAFF)],
    "shop:good": [
        Shown(VISITOR, lambda g: ["board", "pearl"]),
        Shown(MEMBER, lambda g: ["board", "walnut"], query="?with=amber"),
        Shown(MEMBER, lambda g: ["board", "birch"], query="?confirm=1"),
        Shown(MEMBER, lambda g: ["checkers", "amber"]),
    ],
    "shop:gifts": MEMBERS,
    "shop:totals": [Shown(VISITOR)],
    "shop:top_up": [Shown(MEMBER), Shown(MEMBER, query="?currency=TRY&next=/play/")],
    "shop:payments": MEMBERS,
    "shop:payment": [Shown(MEMBER, payment(state)) for state in PAYMENT_STATES],
    "shop:sandbox": [Shown(VISITOR, lambda g: [g.payments["PENDING"].reference])],
}
PART, FILE, POST = "part of a page", "no page", "answers POST only"
A_STEP = "a step of signing in through another site; tests/accounts/social/test_sites.py"
NOT_PAGES = {
    **{f"{code}_login": A_STEP for code in NAMES},
    **{f"{code}_callback": A_STEP for code in NAMES},
    "apple_finish_callback": A_STEP,
    "header": PART,
    "people:friend_news": PART,
    "people:friends_list": PART,
    "lobby:list": PART,
    "lobby:play_now_bar": PART,
    "lobby:live": PART,
    "lobby:showcase": PART,
    "tournaments:live": PART,
    "tournaments:tv_table": PART,
    "tournaments:alerts": PART,
    "tournaments:after_match": PART,
    "tournaments:of_match": "goes to the tournament's page",
    "stats:match": PART,
    "stats:recap": "leads to the recap of this year",
    "stats:recap_picture": FILE,
    "stats:share_recap": POST,
    "stats:hide_recap": POST,
    "games:review_state": PART,
    "jsi18n": FILE,
    "manifest": FILE,
    "robots": FILE,
    "sitemap": FILE,
    "service_worker": FILE,
    "offline": "opens without a connection; tests/journeys/test_offline.py",
    "healthz": FILE,
    "readyz": FILE,
    "games:practice": FILE,
    "games:result_picture": FILE,
    "games:export_json": FILE,
    "games:export_mat": FILE,
    "games:export_text": FILE,
    "tournaments:calendar": FILE,
    "tournaments:draw": FILE,
    "tournaments:picture": FILE,
    "people:avatar": FILE,
    "people:table_choices": FILE,
    "export_my_data": FILE,
    "wallet:statement_csv": FILE,
    "set_language": POST,
    "set_theme": POST,
    "games:again": POST,
    "games:start_training": POST,
    "chat:reach": POST,
    "shop:buy": POST,
    "shop:take_gift": POST,
    "shop:wear": POST,
    "wallet:keep_limit": POST,
    "games:reminder": PART,
    "shop:start_top_up": POST,
    "shop:webhook": POST,
    "shop:payment_return": "leads to the payment's page or back to where it began",
    "games:ask_review": POST,
    "account_signup_check": POST,
    "account_resend": POST,
    "account_change_unverified_email": POST,
    "people:avatar_upload": POST,
    "people:avatar_remove": POST,
    "people:avatar_seen": POST,
    "people:subscribe": POST,
    "people:notice_device": POST,
    "people:notice_emails": POST,
    "people:friend": POST,
    "people:note": POST,
    "people:block": POST,
    "people:unblock": POST,
    "lobby:again": POST,
    "lobby:join": POST,
    "lobby:cancel_play_now": POST,
    "lobby:accept_invitation": POST,
    "lobby:cancel_invitation": POST,
    "lobby:decline_invitation": POST,
    "lobby:cancel": POST,
    "lobby:decline": POST,
    "tournaments:enter": POST,
    "tournaments:withdraw": POST,
}


def names_of_site() -> set[str]:
    """Return the name of every URL except the admin's."""
    return {name for name, _ in every_pattern() if not name.startswith("admin:")}


def make_gallery() -> Gallery:
    """Fill the database; return the rows that the pages show. DEMO must be on, as in all tests."""
    anna, boris, cem, deniz = (
        player(login) for login in ("longname12", "boris77", "cem55555", "deniz555")
    )
    people = [anna, boris, cem, deniz]
    for kind, code in (("board", "birch"), ("board", "walnut"), ("board", "pearl")):
        goods_factories.good(kind, code, 250)
    goods_factories.owned(anna, "checkers", "amber", 10)
    Profile.objects.filter(user__in=people).update(country="TR", shows_country=True)
    for user in people:
        give_history(user)
    now = timezone.now()
    finished = play_out(
        StakeMatchFactory(white=anna, black=boris, rules=Rules.of("short", delay_ms=20_000))
    )
    met = StakeSitting(boris, anna).sit().start_game().both_move()
    met.do("resign_match", side=Side.BLACK)
    reviewed(_Sitting(finished))  # type: ignore[arg-type]
    rate_waiting(timezone.now() + timedelta(minutes=1))
    count_seats(timezone.now() + timedelta(minutes=1))
    count_reviews([finished.pk])
    settle_reviews(timezone.now() + timedelta(minutes=1))
    sharing.share(anna.pk, timezone.now().year, True, timezone.now())
    Strike.objects.create(
        user=anna, match=met.match, kind=Strike.Kind.WALKED_AWAY, created_at=now - timedelta(days=3)
    )
    direct.send(anna, boris, "xyzzy", now)
    written = direct.send(boris, anna, "xyzzy", now)
    assert written is not None
    chat.mute(anna, cem.pk, now)
    boss = staff("staff12345")
    with_second_factor(boss)
    message = MessageFactory(author=anna, body="xyzzy", now=now)
    chat.report(boris, message.pk, now)
    moderation.silence(Report.objects.get(), boss, timedelta(days=3), now, "xyzzy")
    presets.save(anna, "xyzzy", {"variant": "short", "length": 3, "stake": 50}, now)
    blocks.block(anna.pk, deniz.pk, now)
    friends.ask(anna.pk, boris.pk, now)
    friends.accept(boris.pk, anna.pk, now)
    friends.ask(cem.pk, anna.pk, now)
    friends.ask(anna.pk, boss.pk, now)
    notes.write(anna.pk, boris.pk, "xyzzy", now)
    seek = announcing.announce(anna, announcement(access=Seek.Access.LINK), now)
    announcing.announce(
        boris, announcement(access=Seek.Access.PERSON, invited_id=anna.pk, length=3), now
    )
    offer = inviting.Offer(Rules.of("short", length=3, delay_ms=60_000))
    invitation = inviting.invite(Actor(user_id=anna.pk), offer, now)
    watched = StakeSitting(cem, deniz, length=5).match
    own = Actor(user_id=anna.pk)
    practiced = MatchFactory(player=own, rules=Rules.of("long", length=1), now=now)
    practiced.outcome, practiced.winner = "points", "white"
    practiced.phase, practiced.finished_at = Phase.FINISHED.value, now
    practiced.save()
    training = MatchFactory(player=own, rules=Rules.of("long", length=3), now=now)
    PushSubscription.objects.create(user=anna, kinds=["JOINED"], created_at=now)
    registered = RegisteredFactory(username="newcomer1")
    return Gallery(
        anna, boris, boss, seek, invitation, watched, finished, training,
        EmailAddress.objects.get(user=registered),
        UserFactory(username="without_mail", member=True, email=""),
        _tournaments(anna), written, _payments(anna),
        answered(asked(anna, "xyzzy", room=f"match:{finished.public_id}"), boss, "xyzzy"),
        answered(asked("xyzzy@example.org", "xyzzy"), boss, "xyzzy"),
    )  # fmt: skip


def _payments(anna: User) -> dict[str, Payment]:
    """Return a payment of Anna's in each state, the last one with a debt."""
    now = timezone.now()
    packs.make()
    made = {state: begun(anna, 20 + n, now) for n, state in enumerate(PAYMENT_STATES)}
    for state in ("EXPIRED", "FAILED"):
        told(made[state], Facts(made[state].public_id, ended=state), now=now)
    for state in ("PAID", "REFUNDED", "DISPUTED"):
        told(made[state], paid_facts(made[state]), now=now)
    told(made["REFUNDED"], refunded(made["REFUNDED"]), now=now)
    told(made["DISPUTED"], disputed(made["DISPUTED"], "OPEN"), now=now)
    Debt.objects.filter(user=anna).update(credits=7)
    return made


def _tournaments(anna: User) -> dict[str, Tournament]:
    """Return a tournament that Anna has entered, a running knock-out, and two finished ones.

    Anna also proposes two tournaments, of which one is rejected.
    """
    finished = {
        format.lower(): TournamentRun(5, absent=1, name="xyzzy 3", format=format)
        .start()
        .play()
        .tournament
        for format in ("ROUND_ROBIN", "SWISS")
    }
    running = TournamentRun(6, absent=1, name="xyzzy 2").start()
    running.play_round()
    now = timezone.now()
    for number, is_refused in enumerate((True, False)):
        free = plan(fee_credits=0, name=f"xyzzy {4 + number}")
        proposed = announcing_tournaments.propose(free, now + timedelta(hours=3), anna, now)
        if is_refused:
            announcing_tournaments.reject(proposed.pk, Ruling("xyzzy", anna.pk), now)
    # Announced last, because playing the tournaments above settles all that is due within an hour.
    open_tournament = announced(name="xyzzy 1", fee_credits=20)
    enter(open_tournament, [anna], open_tournament.created_at)
    return {"announced": open_tournament, "knockout": running.tournament, **finished}


@dataclass
class _Sitting:
    match: Match
