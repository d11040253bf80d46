"""The first reads of a connection take one query each."""

from datetime import UTC, datetime
from typing import Any

import pytest

from games import selectors
from games.engine.sides import Side
from games.models.actor import Actor
from games.protocol import snapshots
from games.services import chat
from tests.accounts.factories import member
from tests.games.factories import StakeSitting

pytestmark = pytest.mark.django_db


def test_a_chat_without_messages_takes_one_query(django_assert_num_queries: Any) -> None:
    anna = member("anna")
    match = StakeSitting(anna, member("boris")).match
    with django_assert_num_queries(1):
        room = match.public_id, Side.WHITE, anna.pk
        assert chat.recent_of_each({room}) == {room: []}


def test_viewpoint_and_presence_take_one_query_each(django_assert_num_queries: Any) -> None:
    white, now = member("anna"), datetime.now(UTC)
    match = StakeSitting(white, member("boris"), now=now).match
    with django_assert_num_queries(1):
        own = selectors.find_viewpoint(match.public_id, Actor(user_id=white.pk))
    assert own is not None
    assert own.side is Side.WHITE
    with django_assert_num_queries(1):
        frames = snapshots.presence_frames([match.public_id], now)
    whole = snapshots.state_frame(match.public_id, None, -1, now)
    assert frames == {match.public_id: {"t": "presence", "presence": whole["presence"]}}
