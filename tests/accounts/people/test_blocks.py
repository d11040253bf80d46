"""A member blocks another, and unblocks them."""

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import selectors
from accounts.closing import services as closing
from accounts.models import Block
from accounts.people import blocks
from tests.accounts.factories import member, sign_in, unactivated

pytestmark = pytest.mark.django_db

AJAX = {"HX-Request": "true"}


@pytest.fixture
def owner():
    return member("owner")


@pytest.fixture
def other():
    return member("other")


@pytest.fixture
def browser(client, owner):
    return sign_in(client, owner)


def press(browser, action, player, **more):
    return browser.post(reverse(f"people:{action}", args=[player.public_id]), **more)


def test_a_member_blocks_another_and_unblocks_them(browser, owner, other):
    answer = press(browser, "block", other)
    assert answer.status_code == 303
    assert answer["Location"] == reverse("people:player", args=[other.public_id])
    assert selectors.blocks(owner.pk, other.pk)
    assert not selectors.blocks(other.pk, owner.pk)
    assert selectors.either_blocks(other.pk, owner.pk)
    assert "other is blocked." in browser.get(answer["Location"]).content.decode()
    press(browser, "unblock", other)
    assert not selectors.either_blocks(owner.pk, other.pk)


def test_a_repeated_block_is_stored_once(browser, owner, other):
    press(browser, "block", other)
    assert press(browser, "block", other).status_code == 303
    assert Block.objects.count() == 1


def test_unblocking_without_a_block_changes_nothing(browser, other):
    third = member("third")
    blocks.block(other.pk, third.pk, timezone.now())
    assert press(browser, "unblock", third).status_code == 303
    assert selectors.blocks(other.pk, third.pk)


def test_blocking_on_the_player_card_returns_the_card(browser, other):
    answer = press(browser, "block", other, headers=AJAX)
    assert answer.status_code == 200
    page = answer.content.decode()
    assert page.strip().startswith('<div id="player-card-content"')
    assert reverse("people:unblock", args=[other.public_id]) in page


def test_the_profile_lists_blocked_players_and_unblocks_them(browser, owner, other):
    empty = browser.get(reverse("people:profile")).content.decode()
    assert "Nobody yet. Players you block" in empty
    press(browser, "block", other)
    page = browser.get(reverse("people:profile")).content.decode()
    assert reverse("people:unblock", args=[other.public_id]) in page
    answer = press(browser, "unblock", other, headers=AJAX | {"HX-Target": "blocked"})
    assert answer.content.decode().strip().startswith('<section class="card" id="blocked"')
    assert "Nobody yet. Players you block" in answer.content.decode()
    assert "data-spoken>other is no longer blocked.</p>" in answer.content.decode()


def test_unblocking_on_the_profile_returns_to_the_profile(browser, other):
    back = reverse("people:profile") + "#blocked"
    answer = press(browser, "unblock", other, data={"next": back})
    assert answer["Location"] == back


def test_next_url_of_another_host_is_ignored(browser, other):
    answer = press(browser, "unblock", other, data={"next": "https://evil.example/"})
    assert answer["Location"] == reverse("people:player", args=[other.public_id])


def test_members_cannot_block_themselves(browser, owner):
    answer = press(browser, "block", owner)
    assert answer.status_code == 422
    assert "You cannot block yourself." in answer.content.decode()
    assert not Block.objects.exists()


def test_the_database_refuses_a_block_of_oneself(owner):
    with pytest.raises(IntegrityError), transaction.atomic():
        Block.objects.create(owner=owner, blocked=owner, created_at=timezone.now())


def test_the_number_of_blocks_is_limited(browser, owner, other, monkeypatch):
    monkeypatch.setattr(blocks, "MAX_BLOCKS", 1)
    press(browser, "block", other)
    answer = press(browser, "block", member("third"))
    assert answer.status_code == 422
    assert "Unblock someone on your profile first." in answer.content.decode()
    assert Block.objects.count() == 1


def test_an_unactivated_or_closed_account_cannot_be_blocked(browser, other):
    assert press(browser, "block", unactivated("boris")).status_code == 404
    closing.close(other.pk, timezone.now())
    assert press(browser, "block", other).status_code == 404
    assert not Block.objects.exists()


def test_a_block_of_a_player_who_closes_the_account_meanwhile_is_refused(
    browser, other, monkeypatch
):
    block = blocks.block

    def close_first(*args):
        closing.close(other.pk, timezone.now())
        block(*args)

    monkeypatch.setattr(blocks, "block", close_first)
    answer = press(browser, "block", other)
    assert answer.status_code == 422
    assert "This account is closed." in answer.content.decode()
    assert not Block.objects.exists()


@pytest.mark.parametrize("action", ["block", "unblock"])
def test_a_guest_is_redirected_to_sign_in(client, owner, other, action):
    blocks.block(owner.pk, other.pk, timezone.now())
    answer = press(client, action, other)
    assert answer["Location"].startswith(reverse("account_login"))
    assert Block.objects.count() == 1


@pytest.mark.parametrize("action", ["block", "unblock"])
def test_block_requires_post_and_csrf_token(owner, other, action):
    browser = sign_in(Client(enforce_csrf_checks=True), owner)
    assert browser.get(reverse(f"people:{action}", args=[other.public_id])).status_code == 405
    assert press(browser, action, other).status_code == 403
