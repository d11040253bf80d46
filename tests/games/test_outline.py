"""What a connection reads first needs neither the match's state nor the players' accounts."""

from datetime import UTC, datetime
from typing import Any

import pytest

from games import selectors
from games.engine.sides import Side
from games.models.actor import Actor
from games.protocol import snapshots
from tests.accounts.factories import member
from tests.games.factories import StakeSitting

pytestmark = pytest.mark.django_db


def test_viewpoint_and_presence_take_two_queries_each(django_assert_num_queries: Any) -> None:
    white, now = member("anna"), datetime.now(UTC)
    match = StakeSitting(white, member("boris"), now=now).match
    with django_assert_num_queries(2):
        own = selectors.find_viewpoint(match.public_id, Actor(user_id=white.pk))
    assert own is not None
    assert own.side is Side.WHITE
    with django_assert_num_queries(2):
        frame = snapshots.presence_frame(match.public_id, now)
    whole = snapshots.state_frame(match.public_id, None, -1, now)
    assert frame == {"t": "presence", "presence": whole["presence"]}
