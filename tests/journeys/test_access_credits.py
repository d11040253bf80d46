"""Accessibility of the pages of games for credits: axe and overflow, in Russian on a phone."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import pytest
from django.db import connections
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from accounts.models import Profile, User
from chat.services import messages as chat
from games.engine.sides import Side
from games.models import Match, Strike
from lobby.models import Seek
from lobby.services import announcing, presets
from tests.games.factories import StakeSitting, give_history
from tests.journeys.test_access import assert_accessible
from tests.journeys.visitors import NARROW, come_as_member, set_language
from tests.lobby.factories import announcement
from tests.wallet.factories import player


@dataclass
class Club:
    """Four members: Anna, who has announced a game by link, has met Boris; two others play."""

    anna: User
    boris: User
    by_link: Seek
    match: Match


@pytest.fixture
def club(unhurried, transactional_db):
    """Write to the database in another thread, as `visitors.finished_match` does."""

    def make() -> Club:
        try:
            people = [player(login) for login in ("longname12", "boris", "cem55", "deniz")]
            Profile.objects.filter(user__in=people).update(country="TR")
            anna, boris, cem, deniz = people
            for user in (anna, boris):
                give_history(user)
            met = StakeSitting(anna, boris).sit().start_game().both_move()
            met.do("resign_match", side=Side.BLACK)
            Strike.objects.create(
                user=anna, match=met.match, kind=Strike.Kind.WALKED_AWAY, created_at=met.now
            )
            chat.mute(anna, cem.pk, met.now)
            link = announcing.announce(anna, announcement(access=Seek.Access.LINK), timezone.now())
            invited = announcement(access=Seek.Access.PERSON, invited_id=anna.pk, length=3)
            announcing.announce(boris, invited, timezone.now())
            presets.save(anna, "Evening game of an hour or so", {"length": 7}, timezone.now())
            return Club(anna, boris, link, StakeSitting(cem, deniz, length=5).match)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(make).result()


@pytest.mark.slow
def test_lobby_waiting_room_opponents_and_watched_table(club, open_context, live):
    context = open_context(viewport=NARROW)
    set_language(context, live, "ru")
    come_as_member(context, live, club.anna)
    page = context.new_page()
    for name, args in (
        ("lobby:lobby", []),
        ("lobby:seek", [club.by_link.public_id]),
        ("lobby:running", [club.match.public_id]),
        ("lobby:announce", []),
        ("lobby:presets", []),
        ("lobby:conduct", []),
        ("wallet:statement", []),
        ("chat:muted", []),
        ("chat:silence", []),
        ("stats:rating", [club.boris.public_id]),
        ("stats:opponents", []),
        ("stats:opponent", [club.boris.public_id]),
        ("people:player", [club.boris.public_id]),
        ("games:match", [club.match.public_id]),
    ):
        page.goto(reverse(name, args=args))
        for summary in page.locator(".filter-fold > summary").all():
            summary.click()
        expect(page.locator(".live-challenge")).to_be_visible()
        assert_accessible(page, "ru")
