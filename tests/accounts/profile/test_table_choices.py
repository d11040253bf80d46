"""A member's table choices are all stored or all refused."""

import json
import re
from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.test import Client
from django.urls import reverse

from accounts.models import Preferences, User
from accounts.models.looks import FREE_LOOKS
from accounts.models.preferences import camel_case
from accounts.profile.forms import TABLE_LABELS, ProfileForm
from accounts.selectors import preferences_of
from tests.accounts.factories import member, sign_in, unactivated

pytestmark = pytest.mark.django_db

DEFAULTS = Preferences().table_choices()


@pytest.fixture
def anna() -> User:
    return member("anna1")


@pytest.fixture
def table(client: Client, anna: User) -> Client:
    return sign_in(client, anna)


def send(table: Client, content: Any) -> int:
    body = content if isinstance(content, bytes) else json.dumps(content)
    address = reverse("people:table_choices")
    return table.post(address, body, content_type="application/json").status_code


def choices_of(user: User) -> dict[str, Any]:
    return preferences_of(user).table_choices()


def test_posted_choices_are_stored(table: Client, anna: User) -> None:
    changes = {"endOfTurn": "confirm", "mirrorLong": True, "board": "night"}
    assert send(table, changes) == 204
    assert choices_of(anna) == {**DEFAULTS, **changes}


def test_the_page_reads_all_choices(table: Client) -> None:
    send(table, {"soundDice": False})
    answer = table.get(reverse("people:table_choices"))
    assert answer.json() == {**DEFAULTS, "soundDice": False}
    assert "no-store" in answer["Cache-Control"]


def test_every_choice_of_the_model_can_be_sent(table: Client, anna: User) -> None:
    last = {}
    for name in Preferences.TABLE_FIELDS:
        values = [value for value, _label in Preferences._meta.get_field(name).choices or ()]
        values = list(FREE_LOOKS.get(name, values))
        last[camel_case(name)] = values[-1] if values else not DEFAULTS[camel_case(name)]
    assert send(table, last) == 204
    assert choices_of(anna) == last


def test_every_choice_has_a_label_and_every_label_a_choice() -> None:
    assert set(Preferences.TABLE_FIELDS) - set(TABLE_LABELS) == set(), "no label"
    assert set(TABLE_LABELS) - set(Preferences.TABLE_FIELDS) == set(), "no choice"


def test_every_preference_belongs_to_a_form_of_the_profile_page() -> None:
    """A preference without a form could never be changed."""
    fields = {field.name for field in Preferences._meta.fields} - {"id", "user"}
    zone = {"time_zone", "keeps_time_zone"}
    assert fields - set(Preferences.TABLE_FIELDS) == {*ProfileForm.PREFERENCE_FIELDS, *zone}


def test_the_script_has_the_same_choices_with_the_same_defaults() -> None:
    script = (settings.BASE_DIR / "static/js/play/settings.js").read_text()
    lists = {
        name: re.findall(r'"(\w+)"', values)
        for name, values in re.findall(r"^  (\w+): \[(.*)\],$", script, re.MULTILINE)
    }
    switches = {
        name: value == "true"
        for name, value in re.findall(r"^  (\w+): (true|false),$", script, re.MULTILINE)
    }
    assert {name: values[0] for name, values in lists.items()} | switches == DEFAULTS
    for field in Preferences.TABLE_FIELDS:
        values = [value for value, _label in Preferences._meta.get_field(field).choices or ()]
        assert sorted(lists.get(camel_case(field), [])) == sorted(values), field


def test_the_script_has_the_same_free_looks() -> None:
    script = (settings.BASE_DIR / "static/js/play/settings.js").read_text()
    sets = re.findall(r"^  (\w+): new Set\(\[(.*)\]\),$", script, re.MULTILINE)
    free = {name: tuple(re.findall(r'"(\w+)"', values)) for name, values in sets}
    assert free == FREE_LOOKS


def test_every_choice_can_be_made_at_the_table() -> None:
    parts = (settings.BASE_DIR / "templates/games/table").glob("*.html")
    offered = set(re.findall(r'data-setting="(\w+)"', "".join(part.read_text() for part in parts)))
    assert "mirror" in offered  # mirrorShort or mirrorLong, by the variant of the match
    assert offered - {"mirror"} == set(DEFAULTS) - {"mirrorShort", "mirrorLong"}


@pytest.mark.parametrize(
    "content",
    [
        {"dice": "loaded"},
        {"dice": 1},
        {"dice": ["manual"]},
        {"numbers": "off"},
        {"numbers": 0},
        {"numbers": None},
        {"theme": "dark"},
        {"language": "ru"},
        {"double_click": "larger"},
        {"user": 1},
        {"": ""},
        ["dice", "manual"],
        "manual",
        None,
        b"",
        b"{",
        b"\xff",
        b"[" * 2000,
        {"dice": "manual", "padding": "x" * 2048},
    ],
)
def test_unknown_or_malformed_choices_are_refused(table: Client, anna: User, content: Any) -> None:
    assert send(table, content) == 400
    assert choices_of(anna) == DEFAULTS


def test_no_choice_is_stored_if_one_is_unknown(table: Client, anna: User) -> None:
    assert send(table, {"tap": "select", "speed": "warp"}) == 400
    assert choices_of(anna) == DEFAULTS


def test_a_long_body_is_refused(table: Client, anna: User) -> None:
    assert send(table, b'{"tap": "select"' + b" " * 2048 + b"}") == 400
    assert choices_of(anna) == DEFAULTS


def test_choices_of_other_members_stay(table: Client) -> None:
    boris = member("boris1")
    assert send(table, {"tap": "select"}) == 204
    assert choices_of(boris) == DEFAULTS


def test_a_guest_is_refused(client: Client) -> None:
    assert send(client, {"tap": "select"}) == 403
    assert client.get(reverse("people:table_choices")).status_code == 403


def test_an_unactivated_account_is_refused(client: Client) -> None:
    clara = unactivated("clara1")
    assert send(sign_in(client, clara), {"tap": "select"}) == 403
    assert choices_of(clara) == DEFAULTS


def test_a_post_without_csrf_token_is_refused(anna: User) -> None:
    table = sign_in(Client(enforce_csrf_checks=True), anna)
    assert send(table, {"tap": "select"}) == 403
    assert choices_of(anna) == DEFAULTS


def test_the_members_other_tables_are_nudged(
    table: Client,
    anna: User,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Any,
) -> None:
    nudges: list[tuple[int, str]] = []
    monkeypatch.setattr("accounts.profile.table_choices.nudge", lambda *nudge: nudges.append(nudge))
    with django_capture_on_commit_callbacks(execute=True):
        send(table, {"tap": "play"})
        send(table, {"tap": "pinch"})
        send(table, {})
    assert nudges == [(anna.pk, "choices")]


class TestNewDefaults:
    """The migration gives new defaults to members who had chosen nothing, and to no others."""

    OLD = {"tap": "select", "end_of_turn": "forced"}

    @pytest.mark.parametrize(
        ("chosen", "after"),
        [
            ({}, ("play", "safe")),
            ({"board": "night"}, ("select", "forced")),
            ({"sound_dice": False}, ("select", "forced")),
            ({"end_of_turn": "confirm"}, ("select", "confirm")),
            ({"tap": "play"}, ("play", "forced")),
        ],
    )
    def test_only_members_who_chose_nothing_get_the_new_defaults(
        self, anna: User, chosen: dict[str, Any], after: tuple[str, str]
    ) -> None:
        Preferences.objects.filter(user=anna).update(**self.OLD | chosen)
        import_module("accounts.migrations.0018_tap_plays").give_new_defaults(apps, None)
        preferences = preferences_of(anna)
        assert (preferences.tap, preferences.end_of_turn) == after

    def test_a_new_member_has_the_new_defaults(self, anna: User) -> None:
        preferences = preferences_of(anna)
        assert (preferences.tap, preferences.end_of_turn) == ("play", "safe")
