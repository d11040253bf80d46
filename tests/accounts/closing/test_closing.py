"""Close an account: personal data is erased, the ledger's sums stay."""

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from allauth.core.context import request_context
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from allauth.usersessions.models import UserSession
from django.contrib.auth import authenticate
from django.db.models import Sum
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone

from accounts.closing import services as closing
from accounts.models import (
    Block,
    EmailWish,
    Note,
    Origin,
    OutgoingEmail,
    Picture,
    Preferences,
    Presence,
    Profile,
    User,
)
from accounts.notices import choices
from accounts.people import blocks, notes, presence
from accounts.profile import avatars, preferences, table_choices
from accounts.profile import services as profiles
from accounts.second_factor import services as second_factor
from accounts.sessions import origins
from accounts.sessions import services as sessions
from accounts.shared.refusals import Refused
from accounts.signals import member_closing, member_closing_asked
from accounts.signin import passwords
from accounts.signup.retired_logins import is_retired
from accounts.signup.selectors import is_login_taken
from accounts.social import added_email
from chat.models import Mute
from chat.services import messages
from config.personal_data import data_of
from games.engine.rules import Rules, Variant
from games.engine.sides import Side
from games.lessons import services as lessons
from games.lessons.stars import Result
from games.models import LessonResult
from games.models.actor import Actor
from games.services import matches
from games.templatetags.games import player_name
from lobby.models import Preset, WishedGame
from lobby.services import presets, wishing
from shop.models import Payment, SandboxCheckout
from shop.payments import checks
from shop.payments.providers import sandbox
from tests.accounts.factories import PASSWORD, member, sign_in, sign_in_now, staff
from tests.accounts.profile import pictures
from tests.accounts.second_factor.factories import SECRET, code_now
from tests.lobby.factories import SeekFactory
from tests.shop.payments.factories import NOW, available, bank, begun, told
from tests.support.races import one_after_the_other
from tests.tournaments.factories import announced, enter
from tests.wallet.factories import player
from wallet.limits import services as limits
from wallet.models import Account, Entry, Limit
from wallet.selectors import funds_of
from wallet.services import accounts, holds
from wallet.services.transfers import Cause

pytestmark = pytest.mark.django_db

CLOSE = "people:close"


@pytest.fixture
def owner():
    return member("Owner77")


@pytest.fixture
def browser(client, owner):
    return sign_in(client, owner)


def write(subject, to):
    OutgoingEmail.objects.create(to=to, subject=subject, text="link", created_at=timezone.now())


def close(browser, **data):
    return browser.post(reverse(CLOSE), data or {"password": PASSWORD})


def test_the_page_lists_erased_and_kept_data(browser):
    page = browser.get(reverse(CLOSE)).content.decode()
    for part in (
        "What is deleted",
        "What is kept, without your name",
        "It cannot be undone.",
        "boards and checkers you bought",
        "fingerprint",
    ):
        assert part in page
    assert "You still have 100 credits." in page


def test_the_password_closes_the_account_and_signs_out(browser, owner):
    answer = close(browser)
    assert answer.status_code == 303
    user = User.objects.get(pk=owner.pk)
    assert user.closed_at
    assert not user.is_active
    home = browser.get(answer["Location"], follow=True)
    assert "Your account is closed." in home.content.decode()
    assert browser.get(reverse("people:profile")).status_code == 302


def test_personal_data_is_erased(owner, media, django_capture_on_commit_callbacks):
    other = member("other")
    blocks.block(owner.pk, other.pk, timezone.now())
    blocks.block(other.pk, owner.pk, timezone.now())
    avatars.replace(owner.pk, pictures.file())
    Profile.objects.filter(user=owner).update(country="TR", crest="red", shows_online=False)
    Preferences.objects.filter(user=owner).update(language="tr", dice="manual", numbers=False)
    Presence.objects.create(user=owner, seen_at=timezone.now())
    SocialAccount.objects.create(user=owner, provider="facebook", uid="4711")
    write("To the owner", "OWNER77@example.org")
    write("To another", other.email)
    with django_capture_on_commit_callbacks(execute=True):
        closing.close(owner.pk, timezone.now())

    user = User.objects.get(pk=owner.pk)
    assert (user.email, user.first_name, user.last_name, user.guest) == ("", "", "", None)
    assert "owner" not in user.username.lower()
    assert not user.has_usable_password()
    assert not EmailAddress.objects.filter(user=owner).exists()
    assert not SocialAccount.objects.exists()
    assert not Block.objects.exists()
    assert not Presence.objects.exists()
    assert list(OutgoingEmail.objects.values_list("subject", flat=True)) == ["To another"]
    profile = Profile.objects.get(user=owner)
    assert (str(profile.country), profile.crest, profile.shows_online) == ("", "gold", True)
    preferences = Preferences.objects.get(user=owner)
    assert (preferences.language, preferences.dice, preferences.numbers) == ("", "automatic", True)
    assert not list(media.rglob("*.webp"))
    assert "owner77" not in str(data_of(user)).lower()


def renew_password(owner):
    with request_context(RequestFactory().post("/")):
        passwords.renew(owner, "Other7passphrase", timezone.now())


# Requests of the owner, or about them, with the code of the service's refusal; "" if the service
# stores nothing and does not refuse.
LATE = {
    "note": (lambda owner, other: notes.write(owner.pk, other.pk, "x", NOW), "closed_account"),
    "note on them": (
        lambda owner, other: notes.write(other.pk, owner.pk, "x", NOW), "closed_account",
    ),
    "block": (lambda owner, other: blocks.block(owner.pk, other.pk, NOW), "closed_account"),
    "block of them": (lambda owner, other: blocks.block(other.pk, owner.pk, NOW), "closed_account"),
    "avatar": (lambda owner, other: avatars.replace(owner.pk, pictures.file()), "closed_account"),
    "profile": (
        lambda owner, other: profiles.save(owner.pk, {"country": "TR"}, {"dice": "manual"}, True),
        "closed_account",
    ),
    "table": (lambda owner, other: table_choices.change(owner.pk, {"dice": "manual"}), ""),
    "language": (lambda owner, other: preferences.choose(owner.pk, language="tr"), ""),
    "emails": (lambda owner, other: choices.choose_emails(owner.pk, ["JOINED"]), ""),
    "presence": (lambda owner, other: presence.touch(owner.pk, NOW), ""),
    "device": (
        lambda owner, other: sessions.note("k" * 32, owner.pk, "198.51.100.1", "Firefox/1", NOW),
        "",
    ),
    "origin": (lambda owner, other: origins.note(owner.pk, Origin.Kind.DEVICE, "one", NOW), ""),
    "email to add": (
        lambda owner, other: added_email.offer(RequestFactory().post("/"), owner, "a@example.org"),
        "",
    ),
    "mute": (lambda owner, other: messages.mute(owner, other.pk, NOW), ""),
    "mute of them": (lambda owner, other: messages.mute(other, owner.pk, NOW), ""),
    "preset": (lambda owner, other: presets.save(owner, "usual", {}, NOW), "not_member"),
    "wish": (lambda owner, other: wishing.wish(owner, wishing.Wanted(), NOW), "not_member"),
    "limit": (
        lambda owner, other: limits.set_limits(owner.pk, {Limit.Kind.DEPOSIT_DAY: 5}, NOW), "",
    ),
    "lesson": (
        lambda owner, other: lessons.keep(owner.pk, Variant.SHORT, {"a": Result(3, 1)}), "",
    ),
    "second step": (
        lambda owner, other: second_factor.switch_on(
            owner, SECRET, code_now(), "", timezone.now()
        ),
        "",
    ),
    "password": (lambda owner, other: renew_password(owner), ""),
}  # fmt: skip


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("request_late", "code"), LATE.values(), ids=LATE)
def test_a_request_that_still_runs_when_the_account_is_closed_leaves_nothing(
    owner, media, request_late, code
):
    other = member("other")
    refusal = one_after_the_other(
        lambda: closing.close(owner.pk, timezone.now()), lambda: request_late(owner, other)
    )
    assert refusal == code
    for model in (
        Block, Note, Picture, Presence, EmailWish, Authenticator, Mute, Preset, WishedGame, Limit,
        LessonResult, UserSession, Origin, OutgoingEmail,
    ):  # fmt: skip
        assert not model.objects.exists()
    profile, chosen = Profile.objects.get(user=owner), Preferences.objects.get(user=owner)
    assert (str(profile.country), profile.avatar_file.name) == ("", "")
    assert (chosen.language, chosen.dice) == ("", "automatic")
    assert not list(media.rglob("*.webp"))
    assert not User.objects.get(pk=owner.pk).has_usable_password()


def test_a_note_on_a_banned_player_is_still_written(owner):
    banned = member("banned")
    User.objects.filter(pk=banned.pk).update(is_active=False)
    notes.write(owner.pk, banned.pk, "fast", NOW)
    blocks.block(owner.pk, banned.pk, NOW)
    assert Note.objects.exists()
    assert Block.objects.exists()


@pytest.mark.parametrize("has_account", [False, True])
def test_email_to_an_unconfirmed_address_is_erased_with_the_account(client, has_account):
    """A member without an email asks to add one, which with `has_account` is another member's."""
    if has_account:
        member("suggested")
    anna = member("annika")
    EmailAddress.objects.filter(user=anna).delete()
    User.objects.filter(pk=anna.pk).update(email="")
    sign_in_now(client, anna)
    client.post("/account/email/add/", {"email": "Suggested@example.org"})
    assert OutgoingEmail.objects.filter(to="suggested@example.org").count() == 1
    closing.close(anna.pk, timezone.now())
    assert not OutgoingEmail.objects.exists()


def test_the_ledger_stays_and_balances(owner):
    closing.close(owner.pk, timezone.now())
    assert funds_of(owner.pk).total == 100
    account = Account.objects.get(user=owner)
    assert account.entries.aggregate(sum=Sum("amount_credits"))["sum"] == 100
    assert Entry.objects.aggregate(sum=Sum("amount_credits"))["sum"] == 0


def test_a_match_stays_with_an_anonymous_player(owner):
    rules = Rules.of(Variant.SHORT)
    actor = Actor(user_id=owner.pk)
    match = matches.create_training(actor, rules, Side.WHITE, "casual", timezone.now())
    closing.close(owner.pk, timezone.now())
    seat = match.seats.select_related("user").get(user=owner)
    assert player_name(seat) == "Closed account"
    assert seat.to_dict() == {"kind": "user", "name": "", "level": None}


def test_all_devices_are_signed_out(owner, browser):
    elsewhere = sign_in(Client(), owner)
    assert elsewhere.get(reverse("people:profile")).status_code == 200
    close(browser)
    assert elsewhere.get(reverse("people:profile")).status_code == 302


def test_sign_in_is_refused_after_closing(owner, rf):
    closing.close(owner.pk, timezone.now())
    request = rf.post("/")
    assert authenticate(request, username="Owner77", password=PASSWORD) is None
    assert authenticate(request, email="owner77@example.org", password=PASSWORD) is None


def test_the_login_cannot_be_taken_again(owner):
    assert not is_retired("Owner77")
    closing.close(owner.pk, timezone.now())
    for login in ("Owner77", "owner77", "OWNER77"):
        assert is_login_taken(login, timezone.now())
    assert not is_login_taken("Owner78", timezone.now())


def test_the_email_may_be_used_again(owner):
    closing.close(owner.pk, timezone.now())
    assert member("Newcomer").email
    User.objects.create(username="again", email="owner77@example.org")


def test_closing_again_changes_nothing(owner):
    closing.close(owner.pk, timezone.now())
    before = User.objects.filter(pk=owner.pk).values().get()
    closing.close(owner.pk, timezone.now())
    assert User.objects.filter(pk=owner.pk).values().get() == before


def test_two_accounts_can_be_closed(owner):
    other = member("other")
    for user in (owner, other):
        closing.close(user.pk, timezone.now())
    assert User.objects.exclude(closed_at=None).count() == 2


def test_a_password_of_any_length_closes_the_account(client):
    owner, long = member("Owner77"), "Aa1" * 100
    owner.set_password(long)
    owner.save()
    assert close(sign_in(client, owner), password=long).status_code == 303


def test_an_account_without_password_is_closed_by_typing_its_login(browser, owner):
    owner.set_unusable_password()
    owner.save()
    browser = sign_in_now(browser, owner)
    assert 'autocapitalize="none"' in browser.get(reverse(CLOSE)).content.decode()
    answer = close(browser, login="somebody")
    assert answer.status_code == 422
    assert "This is not your login." in answer.content.decode()
    assert close(browser, login="owner77").status_code == 303
    assert User.objects.get(pk=owner.pk).closed_at


@pytest.mark.parametrize(
    ("password", "text"),
    [("Wrong5words", "This is not your password."), ("", "Type your password to close")],
)
def test_a_wrong_password_closes_nothing(browser, owner, password, text):
    answer = close(browser, password=password)
    assert answer.status_code == 422
    assert text in answer.content.decode()
    assert User.objects.get(pk=owner.pk).closed_at is None


def test_password_attempts_are_limited(browser, owner, settings):
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"close_account": "2/h/user"}
    for _ in range(2):
        assert close(browser, password="Wrong5words").status_code == 422
    assert close(browser).status_code == 429
    assert User.objects.get(pk=owner.pk).closed_at is None


def test_staff_accounts_cannot_be_closed(client):
    boss = staff("boss1")
    answer = close(sign_in(client, boss))
    assert answer.status_code == 422
    assert "Staff accounts cannot be closed" in answer.content.decode()
    assert User.objects.get(pk=boss.pk).closed_at is None


def test_a_signal_receiver_can_refuse_closing_with_a_reason(browser, owner):
    def refuse(sender, user_id, **more):
        raise Refused("in_match", why="A match of yours still runs.")

    member_closing.connect(refuse)
    try:
        answer = close(browser)
    finally:
        member_closing.disconnect(refuse)
    assert answer.status_code == 422
    assert "A match of yours still runs." in answer.content.decode()
    user = User.objects.get(pk=owner.pk)
    assert (user.username, user.closed_at) == ("Owner77", None)
    assert EmailAddress.objects.filter(user=owner).exists()


def test_open_holds_prevent_closing(browser, owner):
    account = accounts.of_user(owner.pk)
    holds.open("test:1", account.pk, 100, Cause("stake", "1"), timezone.now())
    answer = close(browser)
    assert answer.status_code == 422
    assert "Some of your credits are reserved" in answer.content.decode()
    assert User.objects.get(pk=owner.pk).closed_at is None


@pytest.mark.parametrize(
    "reserve",
    [
        lambda owner: SeekFactory(owner=owner),
        lambda owner: enter(announced(fee_credits=10), [owner], timezone.now()),
    ],
    ids=["announced game", "tournament"],
)
def test_the_page_says_beforehand_why_the_account_cannot_be_closed(client, reserve):
    owner = player("owner5")
    reserve(owner)
    answer = sign_in(client, owner).get(reverse(CLOSE))
    page = answer.content.decode()
    assert answer.status_code == 200
    assert "The account cannot be closed now. Some of your credits are reserved" in page
    assert 'name="password"' not in page
    assert "You still have" not in page


def test_showing_the_page_does_not_begin_closing(browser):
    asked = []

    def note(signal, **more):
        asked.append(signal)

    for signal in (member_closing, member_closing_asked):
        signal.connect(note)
    try:
        assert 'name="password"' in browser.get(reverse(CLOSE)).content.decode()
    finally:
        for signal in (member_closing, member_closing_asked):
            signal.disconnect(note)
    assert asked == [member_closing_asked]


def test_a_guest_is_redirected_to_sign_in(client):
    answer = close(client)
    assert answer["Location"].startswith(reverse("account_login"))


def test_payment_begun_before_the_account_was_closed_is_refunded(owner, monkeypatch):
    start = sandbox.Gateway.start

    def close_meanwhile(gateway, order):
        assert Payment.objects.get().state == Payment.State.CREATED
        closing.close(owner.pk, NOW)
        return start(gateway, order)

    monkeypatch.setattr(sandbox.Gateway, "start", close_meanwhile)
    before = available(owner)
    payment = begun(owner)
    SandboxCheckout.objects.update(state=SandboxCheckout.State.PAID)
    told(payment, bank().find(payment.reference))
    assert payment.awaits_refund
    checks.settle_due(NOW + timedelta(minutes=1))
    payment.refresh_from_db()
    assert (payment.state, available(owner)) == (Payment.State.REFUNDED, before)
