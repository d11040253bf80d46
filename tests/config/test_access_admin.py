"""Every URL of the administration that the resolver lists is open to staff only."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.auth.models import Group
from django.contrib.contenttypes.models import ContentType
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import URLPattern, reverse
from django.utils import timezone

from accounts.models import OutgoingEmail, User
from chat.models import PlayerReport
from games.engine.sides import Side
from games.models import Strike
from games.services import chat
from tests.accounts.factories import member, sign_in, staff
from tests.chat.factories import MessageFactory
from tests.config.access import (
    GUEST,
    OWNER,
    STAFF,
    STRANGER,
    World,
    body_of,
    every_pattern,
    make_world,
    undone,
)
from tests.games.factories import StakeMatchFactory
from tests.tournaments.factories import announced
from tests.wallet.factories import player
from tournaments.models import Tournament
from tournaments.services import entering

pytestmark = [pytest.mark.django_db, pytest.mark.portable]

PATTERNS = {name: pattern for name, pattern in every_pattern() if name.startswith("admin:")}
OUTSIDERS = (GUEST, STRANGER, OWNER)
# Ends of the names of pages that a superuser can open: always, or only if the model has a row.
ALWAYS = ("_changelist", ":index", ":app_list", ":case_file", ":jsi18n")
OF_A_ROW = ("_change", "_history")


@pytest.fixture
def world(settings: Any, tmp_path: Any) -> World:
    settings.MEDIA_ROOT = str(tmp_path)
    Group.objects.create(name="helpers")
    return make_world()


def address(name: str, pattern: URLPattern, world: World) -> str:
    """Return the page's address, with the id from `object_of` or, for other ids, the owner's."""
    parts = pattern.pattern.regex.groupindex
    known = {
        "app_label": "wallet",
        "content_type_id": ContentType.objects.get_for_model(User).pk,
        "object_id": object_of(name, world),
        "url": "nowhere",
    }
    if name == "admin:<path:object_id>/":  # has no name; redirects to the change page
        return reverse("admin:index") + f"games/match/{world.match.pk}/"
    if name == r"admin:(?P<url>.*)$":
        return reverse("admin:index") + "nowhere"
    return reverse(name, kwargs={part: known.get(part, world.owner.pk) for part in parts})


def object_of(name: str, world: World) -> Any:
    """Return the id of the newest row of the page's model, "1" if the model has no row.

    For a page of no model, return the owner's id.
    """
    for model in admin.site._registry:
        meta = model._meta
        if name.startswith(f"admin:{meta.app_label}_{meta.model_name}_"):
            newest = model._default_manager.order_by("-pk").first()
            return newest.pk if newest else "1"
    return world.owner.pk


def is_refused(name: str, role: str, response: Any) -> bool:
    """Return whether the answer shows nothing of the administration.

    Every page redirects to the admin's sign-in page, which redirects guests to the site's and
    refuses members with 403. Signing out redirects to the index.
    """
    if name == "admin:login" and role != GUEST:
        return bool(response.status_code == 403)
    leads_to = {"admin:login": "account_login", "admin:logout": "admin:index"}
    wanted = reverse(leads_to.get(name, "admin:login"))
    return response.status_code == 302 and response["Location"].partition("?")[0] == wanted


def test_administration_refuses_everybody_but_staff(world: World) -> None:
    for name, pattern in PATTERNS.items():
        url = address(name, pattern, world)
        for role in OUTSIDERS:
            for method in ("get", "post"):
                where = (method, url, role)
                browser = world.browsers[role]
                with undone(browser) as written:
                    response = getattr(browser, method)(url)
                    assert is_refused(name, role, response), (*where, response.status_code)
                    if role != OWNER:  # the header of the page shows the owner's own data
                        assert [it for it in world.secrets if it in body_of(response)] == [], where
                    if name != "admin:logout":  # this one signs out
                        assert not world.changes(written), where


def test_administration_does_not_fail_for_staff(world: World) -> None:
    browser = world.browsers[STAFF]
    for name, pattern in PATTERNS.items():
        with undone(browser):
            response = browser.get(address(name, pattern, world))
            has_row = name != "admin:password_change" and object_of(name, world) != "1"
            is_page = name.endswith(ALWAYS) or (has_row and name.endswith(OF_A_ROW))
            wanted = (200,) if is_page else (200, 302, 403, 404, 405)
            assert response.status_code in wanted, (name, response.status_code)


def test_every_registered_model_has_its_pages_in_the_list() -> None:
    for model in admin.site._registry:
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist"
        assert name in PATTERNS


def test_staff_without_rights_see_no_model(world: World) -> None:
    """Being staff opens the index; groups decide which models are visible."""
    helper = member("helper1234")
    User.objects.filter(pk=helper.pk).update(is_staff=True)
    browser = sign_in(Client(), helper)
    assert browser.get(reverse("admin:index")).status_code == 200
    for model in admin.site._registry:
        meta = model._meta
        url = reverse(f"admin:{meta.app_label}_{meta.model_name}_changelist")
        assert browser.get(url).status_code == 403, url


def test_superuser_cannot_edit_or_delete_a_members_rows_except_the_user(world: World) -> None:
    """Try the change and delete pages of every model; a user has a form that may be saved."""
    browser = world.browsers[STAFF]
    for model in admin.site._registry:
        if model is Group:
            continue
        meta = model._meta
        for page in ("change", "delete"):
            name = f"admin:{meta.app_label}_{meta.model_name}_{page}"
            if name not in PATTERNS:
                continue
            url = reverse(name, args=[object_of(name, world)])
            with undone(browser) as written:
                browser.post(url, {"post": "yes", "amount_credits": 1, "_save": "Save"})
                assert world.changes(written) <= {"user"}, url
    delete = {"action": "delete_selected", "post": "yes", "_selected_action": [world.owner.pk]}
    browser.post(reverse("admin:accounts_user_changelist"), delete)
    assert world.belongings() == world.first_belongings


def test_list_of_urls_covers_the_administration() -> None:
    """Compare PATTERNS with the URLs of the administration itself and of each registered model."""
    parts = [admin.site.get_urls(), *(each.get_urls() for each in admin.site._registry.values())]
    names = {f"admin:{url.name}" for part in parts for url in part if getattr(url, "name", None)}
    assert names
    assert names <= PATTERNS.keys()


def _more_messages(number: int) -> None:
    match = StakeMatchFactory(white=player(f"white{number}"), black=player(f"black{number}"))
    room = chat.room(match.public_id, Side.WHITE)
    MessageFactory(author=member(f"author{number}"), room=room)
    PlayerReport.objects.create(
        about=member(f"rude{number}"), reporter=member(f"hurt{number}"), cause="OTHER",
        created_at=timezone.now(), room=f"match:{match.public_id}",
    )  # fmt: skip


def _more_strikes(number: int) -> None:
    late = player(f"late{number}")
    match = StakeMatchFactory(white=late, black=player(f"rival{number}"))
    kind = Strike.Kind.NO_START
    Strike.objects.create(user=late, match=match, kind=kind, created_at=timezone.now())


def _more_entrants(number: int) -> None:
    tournament = Tournament.objects.first() or announced(fee_credits=0)
    entering.enter(tournament.public_id, player(f"enter{number}"), timezone.now())


@pytest.mark.parametrize(
    ("path", "add"),
    [
        ("chat/message/", _more_messages),
        ("chat/playerreport/", _more_messages),
        ("games/strike/", _more_strikes),
        ("tournaments/tournament/{}/change/", _more_entrants),
    ],
)
def test_number_of_queries_does_not_grow_with_the_rows(
    path: str, add: Callable[[int], None], client: Client
) -> None:
    client.force_login(staff("boss55"))

    def count() -> int:
        first = Tournament.objects.first()
        url = reverse("admin:index") + path.format(first.pk if first else "")
        client.get(url)  # fills the caches
        with CaptureQueriesContext(connection) as queries:
            page = client.get(url)
        assert page.status_code == 200
        return len(queries)

    add(0)
    few = count()
    for number in range(1, 4):
        add(number)
    assert count() == few


HIDDEN = (
    ("accounts_user", "password__startswith=pbkdf2"),
    ("accounts_user", "guest__isnull=False"),
    ("accounts_outgoingemail", "text__contains=/password/reset/key/"),
    ("accounts_outgoingemail", "unsubscribe_url__contains=/profile/notices/stop/"),
    ("games_match", "sealed_secret__isnull=False"),
    ("games_review", "asker__startswith=user"),
    ("shop_payment", "checkout_url__contains=a"),
    ("shop_payment", "form_key__startswith=a"),
    ("tournaments_tournament", "sealed_secret__isnull=False"),
    ("tournaments_entrant", "user__password__startswith=pbkdf2"),
)
OFFERED = (
    ("accounts_user", "is_staff__exact=1&state=member&date_joined__year=2026"),
    ("games_interruption", "match__finished_at__isempty=1"),
    ("games_match", "kind__exact=STAKE&phase__exact=to_roll"),
    ("chat_message", "kind__exact=TEXT&hidden_at__isempty=1"),
    ("wallet_entry", "account__id__exact=1"),
    ("wallet_hold", "account__id__exact=1"),
    ("accounts_outgoingemail", "id__exact=1"),
)


@pytest.mark.parametrize(("model", "query"), HIDDEN)
def test_staff_cannot_read_a_hidden_field_by_lookups_of_its_letters(world, model, query):
    """Otherwise moderators could read password hashes, and the link in an email that waits."""
    address = f"{reverse(f'admin:{model}_changelist')}?{query}"
    assert world.browsers[STAFF].get(address).status_code == 400


def test_page_of_an_email_shows_no_link_that_acts_for_its_reader(client: Client) -> None:
    link = "/profile/notices/stop/abcdefgh01234567/"
    email = OutgoingEmail.objects.create(
        to="a@b.org", subject="s", text=link, unsubscribe_url=link, created_at=timezone.now()
    )
    client.force_login(staff("boss55"))
    page = client.get(reverse("admin:accounts_outgoingemail_change", args=[email.pk]))
    assert "a@b.org" in page.content.decode()
    assert link not in page.content.decode()


@pytest.mark.parametrize(("model", "query"), OFFERED)
def test_filters_and_links_of_the_admin_still_work(world, model, query):
    address = f"{reverse(f'admin:{model}_changelist')}?{query}"
    assert world.browsers[STAFF].get(address).status_code == 200
