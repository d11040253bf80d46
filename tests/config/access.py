"""Four visitors and the data of one of them, the owner, for tests of access."""

import copy
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from typing import Any
from uuid import uuid4

from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection, transaction
from django.db.models import Q
from django.http import HttpResponseBase
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone
from PIL import Image

from accounts.models import (
    Block,
    EmailWish,
    Friendship,
    Note,
    OutgoingEmail,
    Preferences,
    Profile,
    PushSubscription,
    User,
)
from accounts.people import blocks, friends, notes
from accounts.profile import avatars
from chat.models import Ticket, TicketMessage
from games.engine.rules import Rules
from games.engine.sides import Side
from games.models import Action, Match, Seat
from games.models.actor import Actor
from games.services import matches
from lobby.models import AcceptedTerms, Invitation, Preset, Seek
from lobby.services import announcing, inviting, presets
from shop.models import OwnedGood, Payment
from tests.accounts.factories import member, sign_in, staff
from tests.chat.support.factories import asked
from tests.config.credits import set_credits
from tests.shop import goods_factories
from tests.shop.payments.factories import paid
from tests.tournaments.factories import announced
from tournaments.models import Tournament
from wallet.models import Account, Entry, Hold

GUEST, STRANGER, OWNER, STAFF = ROLES = ("guest", "stranger", "owner", "staff")
DEVICE = "Mozilla/5.0 (X11; CrOS) OPR/99.0 secretphone"


@dataclass
class World:
    """The owner with their data, and a browser for each of `ROLES`; the guest is not signed in."""

    owner: User
    match: Match
    seek: Seek
    invitation: Invitation
    guests_invitation: Invitation
    email: OutgoingEmail
    tournament: Tournament
    payment: Payment
    ticket: Ticket
    browsers: dict[str, Client]

    def __post_init__(self) -> None:
        """Read secrets and belongings once: `undone` rolls all later changes back."""
        self.secrets = self._secrets()
        self.first_belongings = self.belongings()

    @property
    def device(self) -> UserSession:
        return UserSession.objects.get(user=self.owner)

    @property
    def preset(self) -> Preset:
        return Preset.objects.get(owner=self.owner)

    @property
    def push_device(self) -> PushSubscription:
        return PushSubscription.objects.get(user=self.owner)

    @property
    def avatar(self) -> str:
        """Return the name of the owner's picture, as in its URL."""
        file = Profile.objects.get(user=self.owner).avatar_file.name
        return file.removeprefix("avatars/").removesuffix(".webp")

    def _secrets(self) -> list[str]:
        """Return texts that only the owner may read.

        They are too long to appear in a token by chance.
        """
        return [
            self.owner.email,
            "48,151,623",  # available
            "48151623",
            "48,152,246",  # reserved credits included
            "48152246",
            "blocked123",
            "friend1234",
            "secret-note",
            "secretphone",
            "secret-link",
            self.device.session_key,
            self.match.public_id,
            self.seek.public_id,
            "secret-preset",
            "secret-endpoint",
            "secret-request",
            self.ticket.public_id,
            self.payment.public_id,
            self.push_device.public_id,
        ]

    def changes(self, written: list[str]) -> set[str]:
        """Return the names of the belongings that the `written` statements have changed.

        Only tables that a statement names are read, since no trigger writes to any other table.
        """
        after = self.belongings(written) if written else {}
        return {name for name, rows in after.items() if rows != self.first_belongings[name]}

    def belongings(self, written: list[str] | None = None) -> dict[str, Any]:
        """Return the owner's rows by name: of all tables, or only of those that `written` names."""
        mine, account = {"user": self.owner}, {"account__user": self.owner}
        key = self.device.session_key if UserSession.objects.filter(**mine).exists() else None
        rows = {
            "user": User.objects.filter(pk=self.owner.pk),
            "profile": Profile.objects.filter(**mine),
            "preferences": Preferences.objects.filter(**mine),
            "friends": Friendship.objects.filter(
                Q(first=self.owner) | Q(second=self.owner), state=Friendship.State.FRIENDS
            ),
            "notes": Note.objects.filter(owner=self.owner),
            "blocks": Block.objects.filter(owner=self.owner),
            "emails": EmailAddress.objects.filter(**mine),
            "devices": UserSession.objects.filter(**mine),
            "session": Session.objects.filter(session_key=key),
            "outgoing": OutgoingEmail.objects.filter(to=self.owner.email),
            "account": Account.objects.filter(**mine),
            "entries": Entry.objects.filter(**account),
            "holds": Hold.objects.filter(**account),
            "matches": Match.objects.filter(seats__user=self.owner),
            "seats": Seat.objects.filter(match__seats__user=self.owner),
            "push_devices": PushSubscription.objects.filter(**mine),
            "email_wishes": EmailWish.objects.filter(**mine),
            "payments": Payment.objects.filter(**mine),
            "seeks": Seek.objects.filter(owner=self.owner),
            "invitations": Invitation.objects.filter(maker=self.owner),
            "presets": Preset.objects.filter(owner=self.owner),
            "goods": OwnedGood.objects.filter(**mine),
            "terms": AcceptedTerms.objects.filter(**mine),
            "tickets": Ticket.objects.filter(**mine),
            "ticket_messages": TicketMessage.objects.filter(ticket__user=self.owner),
            "actions": Action.objects.filter(match__seats__user=self.owner),
        }
        return {
            name: list(found.order_by("pk").values())
            for name, found in rows.items()
            if written is None or any(found.model._meta.db_table in sql for sql in written)
        }


# First words of statements that change no row.
READING = ("SELECT", "SAVEPOINT", "RELEASE")


@contextmanager
def writes() -> Iterator[list[str]]:
    """Yield the list of the block's statements that may write: if empty, no row has changed."""
    found: list[str] = []

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if not sql.lstrip().upper().startswith(READING):
            found.append(sql)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        yield found


@contextmanager
def undone(browser: Client) -> Iterator[list[str]]:
    """Roll back the block's changes in the database and the browser; yield the list of `writes`."""
    cookies = copy.deepcopy(browser.cookies)
    point = transaction.savepoint()
    cache.clear()
    try:
        with writes() as written:
            yield written
    finally:
        transaction.savepoint_rollback(point)
        browser.cookies = cookies


def make_world() -> World:
    owner, other = member("owner12345"), member("blocked123")
    now = timezone.now()
    blocks.block(owner.pk, other.pk, now)
    friend = member("friend1234")
    friends.ask(friend.pk, owner.pk, now)
    friends.accept(owner.pk, friend.pk, now)
    notes.write(owner.pk, friend.pk, "secret-note", now)
    avatars.replace(owner.pk, picture())
    payment = paid(owner, 777, now)
    set_credits(owner, 48_151_723 + 1000, 523)
    goods_factories.owned(owner, "checkers", "amber", 1000)
    goods_factories.good("board", "walnut", 800)
    seek = announcing.announce(owner, for_one(member("invited123")), now)
    rules = Rules.of("short", length=1, delay_ms=30_000)
    invitation = inviting.invite(Actor(user_id=owner.pk), inviting.Offer(rules), now)
    guests_invitation = inviting.invite(
        Actor(guest=uuid4()), inviting.Offer(rules, guest_name="Anna"), now
    )
    presets.save(owner, "secret-preset", {"variant": "short", "length": 3, "stake": 50}, now)
    match = matches.create_training(
        Actor(user_id=owner.pk), Rules.of("short", length=3), Side.WHITE, "casual", now
    )
    PushSubscription.objects.create(
        user=owner, endpoint="secret-endpoint", kinds=["JOINED"], created_at=now
    )
    ticket = asked(owner, "secret-request")
    email = OutgoingEmail.objects.create(
        to=owner.email, subject="secret-link", text="secret-link", created_at=now, due_at=now
    )
    browsers = {
        GUEST: guests_browser(),
        STRANGER: sign_in(Client(), member("stranger12")),
        OWNER: sign_in(Client(headers={"user-agent": DEVICE}), owner),
        STAFF: sign_in(Client(), staff("staff12345")),
    }
    browsers[OWNER].get("/whats-new/")  # records the device
    cache.clear()
    tournament = announced(now, fee_credits=0)
    return World(
        owner,
        match,
        seek,
        invitation,
        guests_invitation,
        email,
        tournament,
        payment,
        ticket,
        browsers,
    )


def for_one(invited: User) -> announcing.Announcement:
    """Return the announcement of a game for 100 credits, visible to one person only."""
    rules = Rules.of("short", length=1, delay_ms=30_000)
    return announcing.Announcement(rules, 100, Seek.Access.PERSON, invited.pk)


def guests_browser() -> Client:
    """Return the browser of a guest who has played before: a session without an account."""
    browser = Client()
    browser.get("/en/")
    session = browser.session
    session["guest"] = "11111111-2222-3333-4444-555555555555"
    session.save()
    return browser


def picture() -> SimpleUploadedFile:
    file = BytesIO()
    Image.new("RGB", (8, 8), "red").save(file, "PNG")
    return SimpleUploadedFile("p.png", file.getvalue(), "image/png")


def body_of(response: HttpResponseBase) -> str:
    content = b"".join(response) if response.streaming else response.content  # type: ignore[attr-defined]
    return content.decode("utf-8", "replace")


def every_pattern(
    resolver: URLResolver | None = None, space: str = ""
) -> Iterator[tuple[str, URLPattern]]:
    """Yield every URL under its full name, or under its pattern if it has no name."""
    for pattern in (resolver or get_resolver()).url_patterns:
        if isinstance(pattern, URLResolver):
            inner = f"{space}{pattern.namespace}:" if pattern.namespace else space
            yield from every_pattern(pattern, inner)
        else:
            yield f"{space}{pattern.name or pattern.pattern}", pattern
