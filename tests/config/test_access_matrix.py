"""The answer of every URL outside the administration to guest, stranger, owner and staff.

The URLs are those of the resolver. A test fails for a URL without a row in ROWS, and for a row
without a URL. Besides the status, the text of the answer and the owner's database rows are checked.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings as site_settings
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.law.versions import current_version
from accounts.models import PUBLIC_ID_LENGTH
from accounts.notices.emails import token_of
from accounts.social import sites
from config.return_urls import FORM_PAGES
from games.engine.rules import Rules
from tests.accounts.factories import PASSWORD
from tests.accounts.notices.test_encryption import AUTH, P256DH
from tests.config.access import (
    OWNER,
    ROLES,
    STAFF,
    STRANGER,
    World,
    body_of,
    every_pattern,
    make_world,
    picture,
    undone,
    writes,
)
from tests.games.factories import Sitting

pytestmark = [pytest.mark.django_db, pytest.mark.portable]

Fields = Callable[[World], dict[str, Any]]

IN = "in"  # redirect to the sign-in page
TO = "to"  # redirect to another page
ALL_PUBLIC = "200 200 200 200"
FOR_MEMBERS = "in 200 200 200"
NOT_ALLOWED = "405 405 405 405"  # the URL does not allow the method
# A POST to a page of rules plays the position that the query names; here the query names none.
NOTHING_TRIED = "404 404 404 404"
NOBODY = "404 404 404 404"  # no role finds the page


@dataclass(frozen=True)
class Row:
    """The expected answers to guest, stranger, owner and staff, in this order.

    `data` returns the fields of the POST. `also_read_by` names the roles besides the owner that may
    read the owner's secrets in the answer.
    """

    get: str
    post: str = NOT_ALLOWED
    args: Callable[[World], list[Any]] = lambda world: []
    data: Fields = lambda world: {}
    as_json: bool = False
    also_read_by: frozenset[str] = field(default_factory=frozenset)


def of_match(world: World) -> list[Any]:
    return [world.match.public_id]


def of_seek(world: World) -> list[Any]:
    return [world.seek.public_id]


def of_invitation(world: World) -> list[Any]:
    return [world.invitation.public_id]


def of_guests_invitation(world: World) -> list[Any]:
    return [world.guests_invitation.public_id]


def of_tournament(world: World) -> list[Any]:
    return [world.tournament.public_id]


def of_year(world: World) -> list[Any]:
    return [timezone.now().year]


def confirmed(world: World) -> dict[str, Any]:
    return {"confirmed": "1"}


def of_payment(world: World) -> list[Any]:
    return [world.payment.public_id]


def of_owner(world: World) -> list[Any]:
    return [world.owner.public_id]


def new_person(world: World) -> dict[str, Any]:
    return {"username": "Newcomer1", "email": "new@example.org", "password1": "Sp9routing-oak"}


def an_answer(world: World) -> dict[str, Any]:
    return {"exercise": "1", "answer": "24/20"}


def owners_sign_in(world: World) -> dict[str, Any]:
    return {"login": world.owner.username, "password": "Not-that-1Password"}


def new_request(world: World) -> dict[str, Any]:
    return {"email": "new@example.org", "text": "Hello", "once": str(uuid4())}


OWN_MATCH = Row("404 404 200 404", args=of_match)
OWN_PAGE = Row(FOR_MEMBERS, "in 405 405 405")
# The link is the only credential; here it is a wrong one.
BY_LINK = Row("410 410 410 410", "410 410 410 410", args=lambda world: ["wrong"])
WITHOUT_KEYS = Row(NOBODY, NOBODY)
# Apple's page sends this form, which changes nothing here (tests/accounts/social/test_sites.py).
APPLES_ANSWER = "apple_callback"
# Forms that other sites send, without our CSRF token. A payment provider signs its message instead.
SENT_BY_OTHERS = {APPLES_ANSWER, "shop:webhook"}

ROWS: dict[str, Row] = {
    # General pages
    "home": Row(ALL_PUBLIC),
    "about": Row(ALL_PUBLIC),
    "terms": Row(ALL_PUBLIC),
    "privacy": Row(ALL_PUBLIC),
    "fair_play": Row(ALL_PUBLIC),
    "responsible_play": Row(ALL_PUBLIC),
    "robots": Row(ALL_PUBLIC),
    "sitemap": Row(ALL_PUBLIC),
    "rules_short": Row(ALL_PUBLIC, NOTHING_TRIED),
    "manual": Row(ALL_PUBLIC),
    "manual_chapter": Row(ALL_PUBLIC, args=lambda world: ["table"]),
    "rules_long": Row(ALL_PUBLIC, NOTHING_TRIED),
    "lessons_short": Row(ALL_PUBLIC),
    "lessons_long": Row(ALL_PUBLIC),
    "lesson_short": Row(ALL_PUBLIC, ALL_PUBLIC, args=lambda world: ["hitting"], data=an_answer),
    "lesson_long": Row(ALL_PUBLIC, ALL_PUBLIC, args=lambda world: ["head"], data=an_answer),
    "whats_new": Row(ALL_PUBLIC),
    "header": Row(ALL_PUBLIC),
    "jsi18n": Row(ALL_PUBLIC),
    "manifest": Row(ALL_PUBLIC),
    "service_worker": Row(ALL_PUBLIC),
    "offline": Row(ALL_PUBLIC),
    "healthz": Row(ALL_PUBLIC),
    "readyz": Row("503 503 503 503"),  # no worker runs here
    "set_language": Row(NOT_ALLOWED, "to to to to", data=lambda world: {"language": "tr"}),
    "set_theme": Row(NOT_ALLOWED, "to to to to", data=lambda world: {"theme": "dark"}),
    # Games
    "games:training": Row(ALL_PUBLIC, "to to to to", data=lambda world: {}),
    "games:start_training": Row(NOT_ALLOWED, "to to to to"),
    "games:finished": Row(ALL_PUBLIC),
    "games:practice": Row(ALL_PUBLIC, args=lambda world: ["dice"]),
    "games:match": OWN_MATCH,
    "games:again": Row(NOT_ALLOWED, "404 404 to 404", args=of_match),  # leads to the running match
    "games:review": OWN_MATCH,
    "games:review_state": OWN_MATCH,
    "games:ask_review": Row(NOT_ALLOWED, "404 404 to 404", args=of_match),  # not over yet
    "games:result": Row(NOBODY, args=of_match),  # not over yet
    "games:result_picture": Row(NOBODY, args=of_match),
    "games:export_json": OWN_MATCH,
    "games:export_mat": OWN_MATCH,
    "games:export_text": Row(NOBODY, args=of_match),  # long matches only
    # Signing in and up; visitors who are signed in are redirected home.
    "account_signup": Row("200 to to to", "to to to to", data=new_person),
    "account_signup_check": Row(NOT_ALLOWED, "400 400 400 400"),  # the form names no field
    "account_email_verification_sent": Row("200 to to to"),
    "account_resend": Row(NOT_ALLOWED, "to to to to"),
    "account_change_unverified_email": Row(
        NOT_ALLOWED, "to to to to", data=lambda world: {"email": "new@example.org"}
    ),
    "account_confirm_email": BY_LINK,
    "account_login": Row("200 to to to", "422 to to to", data=owners_sign_in),
    # The owner has announced a game: without `confirmed` they would be asked again.
    "account_logout": Row("to 200 200 200", "to to to to", data=lambda world: {"confirmed": "yes"}),
    "account_inactive": Row(ALL_PUBLIC),
    # Open only after the password, while the sign-in waits for the code.
    "account_code": Row("in to to to", "in to to to", data=lambda world: {"code": "123456"}),
    "account_second_factor": Row(FOR_MEMBERS, "in 200 200 200", data=lambda world: {"off": "1"}),
    # These members signed in some time ago, so they are asked for the password first.
    "account_second_factor_setup": Row("in to to to", "in to to to"),
    "account_reset_password": Row(
        ALL_PUBLIC, "to to to to", data=lambda world: {"email": "nobody@example.org"}
    ),
    "account_reset_password_done": Row(ALL_PUBLIC),
    "account_reset_password_from_key": Row(
        BY_LINK.get, BY_LINK.post, args=lambda world: ["1", "wrong-key"]
    ),
    "account_reset_password_from_key_done": Row(ALL_PUBLIC),
    # The visitor's own account
    "account_change_password": Row(FOR_MEMBERS, "in to to to"),
    "account_law": Row(
        FOR_MEMBERS, "in to to to", data=lambda world: {"accepts": current_version().isoformat()}
    ),
    "account_sessions": Row(
        FOR_MEMBERS, "in to in to", data=lambda world: {"end": world.device.pk}
    ),
    "account_outbox": Row("in 403 403 200", also_read_by=frozenset({STAFF})),
    "account_add_email": Row(
        "in to to to", "in to to to", data=lambda world: {"email": "new@example.org"}
    ),
    "account_reauthenticate": Row(
        FOR_MEMBERS, "in 422 422 422", data=lambda world: {"password": "Not-that-1Password"}
    ),
    "account_confirm_added_email": BY_LINK,
    "socialaccount_connections": WITHOUT_KEYS,
    "socialaccount_signup": WITHOUT_KEYS,
    "socialaccount_login_cancelled": WITHOUT_KEYS,
    "socialaccount_login_error": WITHOUT_KEYS,
    "apple_finish_callback": WITHOUT_KEYS,
    **{f"{code}_login": WITHOUT_KEYS for code in sites.NAMES},
    **{f"{code}_callback": WITHOUT_KEYS for code in sites.NAMES},
    "export_my_data": Row(FOR_MEMBERS, FOR_MEMBERS),
    "people:profile": Row(FOR_MEMBERS, "in 422 422 422"),
    "people:table_choices": Row(
        "403 200 200 200", "403 204 204 204", data=lambda world: {"tap": "select"}, as_json=True
    ),
    "people:avatar_upload": Row(
        NOT_ALLOWED, "in to to to", data=lambda world: {"picture": picture()}
    ),
    "people:avatar_remove": Row(NOT_ALLOWED, "in to to to"),
    "people:avatar_seen": Row(NOT_ALLOWED, "in to to to"),
    # Refused while credits are reserved, as the owner's are, and for staff accounts.
    "people:close": Row(FOR_MEMBERS, "in to 422 422", data=lambda world: {"password": PASSWORD}),
    "people:notices": Row(FOR_MEMBERS),
    "people:subscribe": Row(
        NOT_ALLOWED,
        "in 201 201 201",
        data=lambda world: {
            "endpoint": "https://push.example.net/another",
            "p256dh": P256DH,
            "auth": AUTH,
        },
    ),
    "people:notice_device": Row(
        NOT_ALLOWED, "in 404 to 404", data=lambda world: {"device": world.push_device.public_id}
    ),
    "people:notice_emails": Row(
        NOT_ALLOWED, "in to to to", data=lambda world: {"kinds": ["JOINED"]}
    ),
    # Anyone with the link may stop the emails; the owner gets no emails, so no row changes.
    "people:stop_emails": Row(ALL_PUBLIC, ALL_PUBLIC, args=lambda world: [token_of(world.owner)]),
    # Other people
    "people:player": Row(ALL_PUBLIC, args=of_owner),
    "people:card": Row(ALL_PUBLIC, args=of_owner),
    "people:friends": Row(FOR_MEMBERS, "in 422 422 422", data=lambda world: {"login": "nobody"}),
    "people:friends_list": Row(FOR_MEMBERS),
    "people:friend_news": Row(ALL_PUBLIC),
    # Others may ask the owner for friendship; the owner cannot ask themselves.
    "people:friend": Row(
        NOT_ALLOWED, "in to 422 to", args=of_owner, data=lambda world: {"action": "ask"}
    ),
    "people:note": Row(
        NOT_ALLOWED, "in to 422 to", args=of_owner, data=lambda world: {"text": "slow"}
    ),
    "people:block": Row(NOT_ALLOWED, "in to 422 to", args=of_owner),
    "people:unblock": Row(NOT_ALLOWED, "in to to to", args=of_owner),
    "people:avatar": Row(ALL_PUBLIC, args=lambda world: [world.avatar]),
    # Messages between two members
    "chat:conversations": Row(FOR_MEMBERS),
    "chat:reach": Row(NOT_ALLOWED, "in to to to", data=lambda world: {"accepts": "KNOWN"}),
    "chat:conversation": Row(
        "in 200 404 200", "in to 404 to", args=of_owner, data=lambda world: {"text": "Hello"}
    ),
    # The owner has sent these visitors no message.
    "chat:report": Row(
        "in 404 404 404", "in 404 404 404", args=lambda world: [*of_owner(world), 1]
    ),
    "chat:rules": Row(ALL_PUBLIC),
    "chat:report_player": Row(
        "in 200 404 200", "in to 404 to", args=of_owner, data=lambda world: {"cause": "OTHER"}
    ),
    "chat:muted": Row(
        FOR_MEMBERS, "in to to to", data=lambda world: {"player": world.owner.public_id}
    ),
    "chat:silence": Row(FOR_MEMBERS, "in 409 409 409", data=lambda world: {"appeal": "Why?"}),
    # Requests to support: everybody may write one, and only its sender may open it.
    "support:start": Row(ALL_PUBLIC),
    "support:questions": Row(ALL_PUBLIC, args=lambda world: ["credits"]),
    "support:write": Row(ALL_PUBLIC, "to to to to", args=lambda world: ["bug"], data=new_request),
    "support:sent": Row(ALL_PUBLIC),
    "support:mine": Row(FOR_MEMBERS),
    "support:ticket": Row(
        "in 404 200 404",
        "in 404 to 404",
        args=lambda world: [world.ticket.public_id],
        data=new_request,
    ),
    "support:by_link": Row(NOBODY, NOBODY, args=lambda world: ["wrong"]),
    # Games; the owner's game for credits is a challenge to a fifth person.
    "lobby:lobby": Row(ALL_PUBLIC),
    "lobby:list": Row(ALL_PUBLIC),
    "lobby:live": Row(ALL_PUBLIC),
    "lobby:showcase": Row(ALL_PUBLIC),
    "lobby:conduct": Row(FOR_MEMBERS),
    # The owner has an open game on other terms.
    "lobby:announce": Row(FOR_MEMBERS, "in 200 409 200"),
    "lobby:wishes": Row(FOR_MEMBERS, "in 422 422 422"),
    "lobby:presets": Row(
        FOR_MEMBERS, "in 404 to 404", data=lambda world: {"delete": world.preset.public_id}
    ),
    "lobby:running": Row(NOBODY, args=of_match),  # a training match
    "lobby:challenge": Row("in 200 to 200", args=of_owner),
    "lobby:seek": Row("404 404 200 404", args=of_seek),
    # A guest is asked for a name.
    "lobby:friend": Row(ALL_PUBLIC, "422 to 409 to"),
    "lobby:play_now": Row(ALL_PUBLIC, "422 422 422 422"),
    "lobby:play_now_bar": Row(ALL_PUBLIC),
    "lobby:cancel_play_now": Row(NOT_ALLOWED, "to to to to"),
    "lobby:invitation": Row(ALL_PUBLIC, args=of_invitation),  # anyone who has the link may see it
    "lobby:accept_invitation": Row(NOT_ALLOWED, "422 to to to", args=of_guests_invitation),
    "lobby:cancel_invitation": Row(NOT_ALLOWED, "to to to to", args=of_invitation),
    "lobby:again": Row(NOT_ALLOWED, "404 404 404 404", args=of_match),  # a training match
    "lobby:decline_invitation": Row(NOT_ALLOWED, "in to to to", args=of_invitation),
    "lobby:join": Row(NOT_ALLOWED, "in to to to", args=of_seek),
    "lobby:cancel": Row(NOT_ALLOWED, "in to to to", args=of_seek),
    "lobby:decline": Row(NOT_ALLOWED, "in to to to", args=of_seek),
    "tournaments:tournaments": Row(ALL_PUBLIC),
    "tournaments:alerts": Row(ALL_PUBLIC),
    "tournaments:list": Row(ALL_PUBLIC, args=lambda world: ["mine"]),
    "tournaments:tournament": Row(ALL_PUBLIC, args=of_tournament),
    "tournaments:live": Row(ALL_PUBLIC, args=of_tournament),
    "tournaments:enter": Row(NOT_ALLOWED, "in to to to", args=of_tournament, data=confirmed),
    "tournaments:withdraw": Row(NOT_ALLOWED, "in to to to", args=of_tournament, data=confirmed),
    "tournaments:season": Row(ALL_PUBLIC),
    "tournaments:of_match": Row("to to to to", args=of_match),
    "tournaments:after_match": Row(ALL_PUBLIC, args=of_match),
    "tournaments:tv": Row(ALL_PUBLIC, args=of_tournament),
    "tournaments:tv_table": Row(ALL_PUBLIC, args=of_tournament),
    "tournaments:propose": Row(FOR_MEMBERS, "in 422 422 422", data=lambda world: {"name": ""}),
    "tournaments:calendar": Row(ALL_PUBLIC, args=of_tournament),
    "tournaments:picture": Row(ALL_PUBLIC, args=of_tournament),
    "tournaments:draw": Row(NOBODY, args=of_tournament),  # not drawn yet
    "stats:leaders": Row(ALL_PUBLIC),
    "stats:achievements": Row(ALL_PUBLIC, args=of_owner),
    "stats:dice": Row(FOR_MEMBERS),
    "stats:site_dice": Row(ALL_PUBLIC),
    "stats:opponents": Row(FOR_MEMBERS),
    "stats:opponent": Row("in 200 404 200", args=of_owner),
    "stats:rating": Row(ALL_PUBLIC, args=of_owner),
    "stats:match": Row(ALL_PUBLIC, args=of_match),
    "stats:statistics": Row(ALL_PUBLIC, args=of_owner),
    "stats:matches": Row(ALL_PUBLIC, args=of_owner),
    "stats:skill": Row(FOR_MEMBERS),
    "stats:recap": Row("in to to to"),
    "stats:recap_of_year": Row(FOR_MEMBERS, args=of_year),
    "stats:share_recap": Row(NOT_ALLOWED, "in to to to", args=of_year),
    "stats:hide_recap": Row(NOT_ALLOWED, "in to to to", args=of_year),
    "stats:shared_recap": Row(NOBODY, args=lambda world: ["wrong"]),
    "stats:recap_picture": Row(NOBODY, args=lambda world: ["wrong"]),
    # Credits
    "shop:shop": Row(ALL_PUBLIC),
    "shop:checkers": Row(ALL_PUBLIC),
    "shop:owned": OWN_PAGE,
    "shop:good": Row(ALL_PUBLIC, args=lambda world: ["board", "walnut"]),
    "shop:buy": Row(NOT_ALLOWED, "in to to to", args=lambda world: ["board", "walnut"]),
    # Only the owner bought these checkers.
    "shop:wear": Row(NOT_ALLOWED, "in 404 to 404", args=lambda world: ["checkers", "amber"]),
    "shop:gifts": OWN_PAGE,
    "shop:totals": Row(ALL_PUBLIC),
    "shop:take_gift": Row(NOT_ALLOWED, "in to to to"),
    "games:reminder": Row(FOR_MEMBERS, "in to to to"),
    "wallet:limits": Row(FOR_MEMBERS, "in 422 422 422"),  # an empty form
    "wallet:keep_limit": Row(NOT_ALLOWED, "in to to to"),
    "wallet:take_break": Row(FOR_MEMBERS, "in 422 422 422", args=lambda world: ["week"]),
    "wallet:age": Row(FOR_MEMBERS, "in 200 200 200"),  # tests ask nobody for their age
    "wallet:help": Row(ALL_PUBLIC),
    "shop:top_up": OWN_PAGE,
    # There is no such pack: the form is refused and leads back to the packs.
    "shop:start_top_up": Row(NOT_ALLOWED, "in to to to"),
    "shop:payments": OWN_PAGE,
    # Staff with the right to see payments may read it too; `payment_return` redirects here.
    "shop:payment": Row(
        "in 404 200 200", "in 405 405 405", args=of_payment, also_read_by=frozenset({STAFF})
    ),
    "shop:payment_return": Row("in 404 to to", "in 405 405 405", args=of_payment),
    # The message is refused because it is not signed: the signature is the only credential.
    "shop:webhook": Row(NOT_ALLOWED, "400 400 400 400", args=lambda world: ["sandbox"]),
    # The sandbox's page knows no members: anyone who has its address may answer.
    "shop:sandbox": Row(ALL_PUBLIC, "to to to to", args=lambda world: [world.payment.reference]),
    "wallet:statement": OWN_PAGE,
    "wallet:statement_csv": OWN_PAGE,
}

# Mail programs send this POST by themselves (RFC 8058), without a CSRF token. The signed token in
# the URL authorizes it.
TOKEN_IN_URL = {"people:stop_emails"}

NAMES = sorted({name for name, _ in every_pattern() if not name.startswith("admin:")})


@pytest.fixture
def world(settings: Any, tmp_path: Any) -> World:
    settings.MEDIA_ROOT = str(tmp_path)
    return make_world()


def test_every_url_has_a_row_and_every_row_a_url() -> None:
    assert set(NAMES) - set(ROWS) == set(), "addresses without a row"
    assert set(ROWS) - set(NAMES) == set(), "rows without an address"


def send(browser: Client, method: str, url: str, row: Row, world: World) -> Any:
    if method == "get":
        return browser.get(url)
    if row.as_json:
        return browser.post(url, row.data(world), content_type="application/json")
    return browser.post(url, row.data(world))


def kind_of(response: Any) -> str:
    if response.status_code not in (302, 303):
        return str(response.status_code)
    return IN if response["Location"].split("?")[0] == reverse("account_login") else TO


def fault_of(world: World, name: str, method: str, role: str, expected: str) -> str | None:
    """Return a text that names the fault of the answer to a role, None if the answer is right."""
    row, browser = ROWS[name], world.browsers[role]
    url = reverse(name, args=row.args(world))
    with undone(browser) as written:
        response = send(browser, method, url, row, world)
        if kind_of(response) != expected:
            return f"{kind_of(response)}, not {expected}"
        if role == OWNER:
            return None
        # A page may repeat its own address, or that of its form's page: the visitor knows the id.
        body = body_of(response).replace(url, "")
        if name in FORM_PAGES:
            body = body.replace(reverse(FORM_PAGES[name], args=row.args(world)), "")
        leaked = [secret for secret in world.secrets if secret in body]
        if leaked and role not in row.also_read_by:
            return f"leaks {leaked}"
        return "changes what is the owner's" if world.changes(written) else None


def test_every_url_answers_each_role_as_listed(world: World) -> None:
    faults = {}
    for name in sorted(set(NAMES) & set(ROWS)):
        for method, answers in (("get", ROWS[name].get), ("post", ROWS[name].post)):
            for role, expected in zip(ROLES, answers.split(), strict=True):
                wrong = fault_of(world, name, method, role, expected)
                if wrong:
                    faults[f"{method} {name} by {role}"] = wrong
    assert faults == {}


def test_owner_sees_and_changes_own_data(world: World) -> None:
    """Control: the test above would also pass if no page showed or changed anything."""
    browser = world.browsers[OWNER]
    for name, secret in [
        ("wallet:statement", "48,151,623"),
        ("wallet:statement_csv", "48152246"),
        ("export_my_data", "secretphone"),
        ("people:profile", "blocked123"),
        ("lobby:presets", "secret-preset"),
        ("account_change_password", world.owner.email),
        ("games:training", world.match.public_id),
    ]:
        assert secret in body_of(browser.get(reverse(name))), name
    for name in ("people:avatar_remove", "people:table_choices", "account_sessions"):
        row = ROWS[name]
        with undone(browser):
            before = world.belongings()
            send(browser, "post", reverse(name), row, world)
            assert world.belongings() != before, name


def test_matrix_finds_a_view_that_takes_one_user_for_another(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Control: an open page, a leaking page and a form that writes are found."""
    monkeypatch.setattr("games.selectors.find_seat", lambda seats, actor: next(iter(seats)))
    assert fault_of(world, "games:match", "get", STRANGER, "404") == "200, not 404"
    monkeypatch.setattr("wallet.views._user_id", lambda request: world.owner.pk)
    leaked = fault_of(world, "wallet:statement", "get", STRANGER, "200") or ""
    assert "48,151,623" in leaked
    monkeypatch.setattr("accounts.profile.avatar_views.current_user", lambda request: world.owner)
    changed = fault_of(world, "people:avatar_remove", "post", STRANGER, TO)
    assert changed == "changes what is the owner's"


def test_guest_match_is_hidden_from_everybody_else(world: World) -> None:
    sitting = Sitting(Rules.of("short", length=3))
    for name in ("match", "review", "export_json", "export_mat", "export_text"):
        for role in ROLES:
            url = reverse(f"games:{name}", args=[sitting.public_id])
            assert world.browsers[role].get(url).status_code == 404, (name, role)


def test_public_ids_cannot_be_guessed(world: World) -> None:
    for name, ids in [
        ("people:player", [world.owner.pk, "0" * PUBLIC_ID_LENGTH]),
        ("games:match", [world.match.pk, "0" * PUBLIC_ID_LENGTH]),
    ]:
        for id in ids:
            assert world.browsers[STAFF].get(reverse(name, args=[id])).status_code == 404


def test_outbox_exists_in_a_demonstration_only(world: World, settings: Any) -> None:
    settings.DEMO = False
    assert world.browsers[STAFF].get(reverse("account_outbox")).status_code == 404


def test_every_post_without_a_csrf_token_is_refused(world: World) -> None:
    """The token is checked first, also where POST is not allowed at all."""
    browser = Client(enforce_csrf_checks=True)
    browser.cookies = world.browsers[OWNER].cookies
    for name in sorted((set(NAMES) & set(ROWS)) - TOKEN_IN_URL - SENT_BY_OTHERS):
        row = ROWS[name]
        with writes() as written:
            response = send(browser, "post", reverse(name, args=row.args(world)), row, world)
        assert response.status_code == 403, name
        assert not world.changes(written), name


def test_csrf_token_from_another_origin_is_refused(world: World) -> None:
    """Another site's page with a stolen token still has its own origin."""
    browser = Client(enforce_csrf_checks=True)
    browser.cookies = world.browsers[OWNER].cookies
    browser.get("/en/")
    token = browser.cookies[site_settings.CSRF_COOKIE_NAME].value
    form = {"theme": "dark", "csrfmiddlewaretoken": token}
    evil = {"origin": "https://evil.example"}
    assert browser.post(reverse("set_theme"), form, headers=evil).status_code == 403
    assert browser.post(reverse("set_theme"), form).status_code == 302
