"""Presets of the announcing form: saved under a name, used by one press, renamed, deleted."""

import re
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.closing import services as closing
from accounts.models import User
from accounts.shared.refusals import Refused
from lobby import personal_data
from lobby.models import Preset, Seek
from lobby.services import presets
from tests.lobby.factories import SeekFactory
from tests.lobby.test_pages import FORM_DEFAULTS
from tests.wallet.factories import player

pytestmark = pytest.mark.django_db

NEW = "/play/new/"
LIST = "/play/presets/"
BLITZ = {"variant": "long", "length": "5", "seconds": "15", "stake": "70", "parity": "on"}


@pytest.fixture
def owner() -> User:
    return player("owner5")


def browser(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def save(user: User, name: str = "Blitz", how: str = "save", **choices: str) -> Any:
    data = {**FORM_DEFAULTS, **BLITZ, **choices, "preset_name": name, "preset": how}
    return browser(user).post(NEW, data)


def saved(user: User, name: str = "Blitz") -> Preset:
    return presets.save(user, name, {"stake": 50}, timezone.now())


def value_of(page: str, name: str) -> str:
    field = re.search(rf'<input[^>]*name="{name}"[^>]*value="([^"]*)"', page) or re.search(
        rf'<input[^>]*value="([^"]*)"[^>]*name="{name}"', page
    )
    assert field
    return field[1]


def test_settings_are_saved_under_a_name_and_nothing_is_announced(owner):
    page = save(owner).content.decode()
    assert "Saved as “Blitz”" in page
    preset = Preset.objects.get(owner=owner)
    assert preset.name == "Blitz"
    expected = {"variant": "long", "length": 5, "seconds": 15, "stake": 70, "parity": True}
    assert expected.items() <= preset.choices.items()
    assert not Seek.objects.exists()
    assert f"?preset={preset.public_id}" in page


def test_preset_fills_in_the_form_by_one_press(owner):
    save(owner)
    browser(owner).post(NEW, {**FORM_DEFAULTS, "confirmed": "1", "stake": "33"})
    preset = Preset.objects.get()
    page = browser(owner).get(NEW, {"preset": preset.public_id}).content.decode()
    assert (value_of(page, "length"), value_of(page, "stake")) == ("5", "70")
    assert '<option value="15" selected>' in page
    assert 'aria-current="true">Blitz</a>' in page
    assert value_of(browser(owner).get(NEW).content.decode(), "length") == "3"


def test_preset_leaves_out_the_opponent(owner):
    answer = save(owner, access="PERSON", opponent="nobody5")
    assert answer.status_code == 200
    choices = Preset.objects.get().choices
    assert choices["access"] == "PERSON"
    assert "opponent" not in choices
    assert "There is no player with this login" not in answer.content.decode()


@pytest.mark.parametrize(
    ("name", "choices", "text"),
    [
        ("", {}, "This field is required"),
        ("x" * 31, {}, "at most 30 characters"),
        ("Fine", {"stake": "9"}, "The minimum is 10."),
        ("Fine", {"length": "99"}, "The maximum is 25."),
        ("Fine", {"length": "99"}, "Nothing has been saved yet"),
    ],
)
def test_invalid_preset_is_explained_and_not_saved(owner, name, choices, text):
    answer = save(owner, name, **choices)
    assert (answer.status_code, answer["Refusal"]) == (422, "invalid")
    assert text in answer.content.decode()
    assert not Preset.objects.exists()


def test_same_name_is_refused_unless_the_preset_is_to_be_replaced(owner):
    save(owner)
    answer = save(owner, stake="80")
    assert (answer.status_code, answer["Refusal"]) == (422, "preset_name")
    assert "Replace “Blitz”" in answer.content.decode()
    assert Preset.objects.get().choices["stake"] == 70
    assert save(owner, how="replace", stake="80").status_code == 200
    assert Preset.objects.get().choices["stake"] == 80


def test_a_button_pressed_twice_saves_one_preset(owner):
    for _ in range(2):
        answer = save(owner)
        assert answer.status_code == 200
        assert "Saved as “Blitz”" in answer.content.decode()
    assert Preset.objects.count() == 1


def test_number_of_presets_is_bounded(owner):
    for number in range(presets.MAX_PRESETS):
        saved(owner, f"Preset {number}")
    answer = save(owner)
    assert (answer.status_code, answer["Refusal"]) == (422, "presets_full")
    assert "Delete one first" in answer.content.decode()
    assert save(owner, "Preset 0", how="replace").status_code == 200
    assert Preset.objects.count() == presets.MAX_PRESETS
    assert saved(player("other5"))


def test_preset_can_be_saved_while_a_game_waits(owner):
    SeekFactory(owner=owner)
    assert save(owner).status_code == 200
    assert Preset.objects.count() == 1
    assert Seek.objects.count() == 1


def test_preset_is_renamed_but_not_to_the_name_of_another(owner):
    one, other = saved(owner, "One"), saved(owner, "Other")
    client = browser(owner)
    answer = client.post(LIST, {"rename": one.public_id, "preset_name": "Evening"}, follow=True)
    assert "The preset has a new name." in answer.content.decode()
    one.refresh_from_db()
    assert one.name == "Evening"
    taken = client.post(LIST, {"rename": other.public_id, "preset_name": "Evening"})
    assert (taken.status_code, taken["Refusal"]) == (422, "preset_name")
    assert "You already have a preset with this name." in taken.content.decode()
    empty = client.post(LIST, {"rename": other.public_id, "preset_name": " "})
    assert empty.status_code == 422
    other.refresh_from_db()
    assert other.name == "Other"


def test_preset_is_deleted(owner):
    preset = saved(owner)
    page = browser(owner).get(LIST).content.decode()
    assert "Delete “Blitz” for good" in page
    answer = browser(owner).post(LIST, {"delete": preset.public_id}, follow=True)
    assert "The preset “Blitz” is deleted." in answer.content.decode()
    assert not Preset.objects.exists()
    again = browser(owner).post(LIST, {"delete": preset.public_id})  # pressed twice
    assert (again.status_code, again.url) == (302, LIST)


@pytest.mark.parametrize("action", ["rename", "delete"])
def test_presets_of_another_member_are_out_of_reach(owner, action):
    preset, stranger = saved(owner), browser(player("other5"))
    answer = stranger.post(LIST, {action: preset.public_id, "preset_name": "Mine"})
    assert answer.status_code == 404
    assert Preset.objects.get().name == "Blitz"
    assert "Blitz" not in stranger.get(LIST).content.decode()
    filled_in = stranger.get(NEW, {"preset": preset.public_id}).content.decode()
    assert value_of(filled_in, "stake") != "50"


def test_preset_of_an_older_form_still_fills_in_what_is_known(owner):
    preset = presets.save(owner, "Old", {"stake": 20, "gone_field": 1}, timezone.now())
    page = browser(owner).get(NEW, {"preset": preset.public_id})
    assert page.status_code == 200
    assert value_of(page.content.decode(), "stake") == "20"
    assert browser(owner).get(LIST).status_code == 200


def test_services_refuse_a_taken_name(owner):
    saved(owner)
    with pytest.raises(Refused, match="preset_name"):
        presets.save(owner, "Blitz", {"stake": 60}, timezone.now())


def test_presets_are_exported_and_erased_with_the_account(owner):
    saved(owner)
    saved(player("other5"))
    assert personal_data.of(owner.pk)["presets"][0]["name"] == "Blitz"
    closing.close(owner.pk, timezone.now())
    assert Preset.objects.get().owner.username == "other5"
