"""A player's page as others see it."""

import re
from datetime import timedelta

import pytest
from django.conf import settings as django_settings
from django.template import Context, Template
from django.urls import reverse
from django.utils import timezone

from accounts import selectors
from accounts.closing import services as closing
from accounts.models import Presence, Profile, User
from accounts.people import blocks
from tests.accounts.factories import member, sign_in, unactivated
from tests.config.test_colors import contrast, tokens

pytestmark = [pytest.mark.django_db, pytest.mark.portable]

AJAX = {"HX-Request": "true"}


@pytest.fixture
def player():
    return member("Player7", country="TR")


def page_of(browser, player, name="player", **more):
    return browser.get(reverse(f"people:{name}", args=[player.public_id]), **more)


def text_of(answer):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.content.decode()))


def set_last_seen(player, at):
    Presence.objects.update_or_create(user=player, defaults={"seen_at": at})


@pytest.mark.parametrize("name", ["player", "card"])
def test_a_guest_sees_the_public_profile(client, player, name):
    answer = page_of(client, player, name)
    assert answer.status_code == 200
    text = text_of(answer)
    assert "Player7" in text
    assert "Türkiye" in text
    assert "Member since" in text
    assert "img/flags/tr.svg" in answer.content.decode()
    assert "Block" not in text


def test_htmx_gets_the_card_as_a_partial(client, player):
    part = page_of(client, player, "card", headers=AJAX).content.decode()
    assert part.strip().startswith('<div id="player-card-content"')
    assert "<html" not in part


def test_without_script_the_card_is_a_page(client, player):
    assert "<html" in page_of(client, player, "card").content.decode()


def test_the_page_shows_no_private_data(client, player):
    page = page_of(client, player).content.decode()
    assert player.email not in page
    assert "example.org" not in page


def test_a_recent_ping_counts_as_online(client, player):
    now = timezone.now()
    set_last_seen(player, now - selectors.ONLINE_FOR / 2)
    assert selectors.is_online(player, now)
    assert "Online now" in text_of(page_of(client, player))
    assert not selectors.is_online(player, now + selectors.ONLINE_FOR / 2)
    set_last_seen(player, now - timedelta(minutes=5))
    assert "Online now" not in text_of(page_of(client, player))


def test_a_member_without_presence_is_offline(player):
    assert not selectors.is_online(player, timezone.now())


@pytest.mark.parametrize("name", ["player", "card"])
def test_hidden_fields_are_not_on_the_page(client, player, name):
    set_last_seen(player, timezone.now())
    Profile.objects.filter(user=player).update(shows_country=False, shows_online=False)
    answer = page_of(client, player, name)
    assert "Online" not in text_of(answer)
    assert "Türkiye" not in text_of(answer)
    assert "flags/" not in answer.content.decode()


def test_ones_own_page_links_to_the_profile(client, player):
    text = text_of(page_of(sign_in(client, player), player))
    assert "Edit your profile" in text
    assert "Block" not in text


def test_another_members_page_offers_a_block(client, player):
    browser = sign_in(client, member("other"))
    assert (
        reverse("people:block", args=[player.public_id])
        in page_of(browser, player).content.decode()
    )


def test_a_blocked_member_sees_no_difference(client, player):
    other = member("other")
    browser = sign_in(client, other)
    before = text_of(page_of(browser, player))
    blocks.block(player.pk, other.pk, timezone.now())
    assert text_of(page_of(browser, player)) == before


@pytest.mark.parametrize("name", ["player", "card"])
def test_the_page_of_a_closed_account_shows_no_personal_data(client, player, name):
    closing.close(player.pk, timezone.now())
    answer = page_of(client, player, name)
    assert answer.status_code == 200
    text = text_of(answer)
    assert "Closed account" in text
    for gone in ("Player7", "Türkiye", "Member since", "closed-", "Online"):
        assert gone not in answer.content.decode()


@pytest.mark.parametrize("name", ["player", "card"])
def test_an_unactivated_account_has_no_page(client, name):
    assert page_of(client, unactivated("boris"), name).status_code == 404
    assert client.get(reverse(f"people:{name}", args=["nobody"])).status_code == 404


def link_to(player):
    template = Template("{% load people %}{% player_link player %}")
    return template.render(Context({"player": User.objects.get(pk=player.pk)}))


def test_a_link_shows_avatar_login_and_flag_and_opens_the_card(player):
    Profile.objects.filter(user=player).update(crest="gold")
    link = link_to(player)
    assert f'href="{reverse("people:player", args=[player.public_id])}"' in link
    assert f'hx-get="{reverse("people:card", args=[player.public_id])}"' in link
    assert "Player7" in link
    assert 'alt="Türkiye"' in link
    assert 'data-crest="gold"' in link


def test_a_link_hides_a_hidden_country(player):
    Profile.objects.filter(user=player).update(shows_country=False)
    assert "flag" not in link_to(player)


def test_a_closed_account_is_not_linked(player):
    closing.close(player.pk, timezone.now())
    link = link_to(player)
    assert "Closed account" in link
    assert "href" not in link


def crest_colors():
    css = (django_settings.BASE_DIR / "static/css/base/players.css").read_text()
    return dict(re.findall(r"--crest-([a-z]+): (#[0-9a-f]{6});", css))


def test_there_is_a_color_for_every_crest():
    assert set(crest_colors()) == set(Profile.Crest.values)


@pytest.mark.parametrize("theme", ["dark", "light, chosen", "contrast"])
def test_crests_and_figures_have_enough_contrast(theme):
    colors = tokens(theme)
    figure = "#f6ecd9"  # a color of the animals in avatars.svg
    others = [figure, *(colors[ground] for ground in ("ground", "surface", "raised"))]
    weak = [
        (name, other)
        for name, crest in crest_colors().items()
        for other in others
        if contrast(crest, other) < 3  # the least that WCAG allows for graphics
    ]
    assert not weak


@pytest.mark.parametrize("name", ["player", "card"])
def test_too_many_requests_for_player_pages_are_refused(client, player, settings, name):
    settings.ACCOUNT_RATE_LIMITS = {"player_pages": "2/h/ip"}
    assert [page_of(client, player, name).status_code for _ in range(3)] == [200, 200, 429]
