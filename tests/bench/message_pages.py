"""Measure the pages of messages before and after their rows grow a hundredfold.

    TEST_POSTGRES_URL=postgres://... python -m tests.bench.message_pages [--messages 1000000]

There is one member for every ten messages. The reader, the member whose pages are measured, has
conversations with a hundredth of the members, and a hundredth of all messages with one of them.
Print for each page the CPU time of a visit (PostgreSQL's included) with few and with all rows, the
ratio of the two and the numbers of queries; with `--plans` also PostgreSQL's plans. Create a
database on the server and drop it at the end.
"""

import argparse
import os
from typing import Any

from tests.bench.club import execute
from tests.bench.page_costs import PageCost, page_cost, print_growth, without_parallel_workers
from tests.load.racing import Database

os.environ["PYTEST_VERSION"] = "bench"  # chooses the settings of the tests
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

GROWTH = 100
VISITS = 15
CHUNK = 5000


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--messages", type=int, default=1_000_000)
    parser.add_argument("--plans", action="store_true")
    given = parser.parse_args()
    with Database(os.environ["TEST_POSTGRES_URL"]) as database:
        without_parallel_workers(database)
        os.environ["DATABASE_URL"] = database.url
        os.environ["REDIS_URL"] = ""
        import django

        django.setup()
        from django.conf import settings
        from django.db import connections
        from django.test.utils import setup_test_environment

        setup_test_environment()
        settings.ACCOUNT_RATE_LIMITS = {}
        try:
            measure(given.messages, given.plans)
        finally:
            connections.close_all()


def measure(messages: int, shows_plans: bool) -> None:
    few = _Club(messages // GROWTH)
    before = few.costs()
    many = _Club(messages, few)
    print_growth(before, many.costs(), shows_plans=shows_plans)


class _Club:
    """Members and their messages; `smaller` is a club that this one extends."""

    def __init__(self, messages: int, smaller: "_Club | None" = None) -> None:
        from tests.accounts.factories import sign_in

        execute("SET statement_timeout = 0")  # filling takes longer than a page may
        self.members = list(smaller.members) if smaller else []
        self._add_members(max(200, messages // 10))
        self.reader, self.friend = self.members[0], self.members[1]
        self._add_messages(messages)
        self._add_conversations()
        execute("ANALYZE")
        from django.test import Client

        self.client = sign_in(Client(), self.reader)

    def costs(self) -> dict[str, PageCost]:
        pages = self._pages().items()
        return {name: page_cost(self.client, address, VISITS) for name, address in pages}

    def _pages(self) -> dict[str, str]:
        conversation = f"/chat/with/{self.friend.public_id}/"
        middle = self._middle_of_conversation()
        return {
            "list": "/chat/",
            "unread": "/chat/?show=unread",
            "online": "/chat/?show=online",
            "a login": "/chat/?login=m1",
            "conversation": conversation,
            "earlier page": f"{conversation}?before={middle}",
            "found text": f"{conversation}?find=number+1",
            "another page (header)": "/whats-new/",
        }

    def _add_members(self, number: int) -> None:
        from django.utils import timezone

        from accounts.models import Preferences, Presence, Profile, User

        now = timezone.now()
        for start in range(len(self.members), number, CHUNK):
            chunk = range(start, min(start + CHUNK, number))
            made = User.objects.bulk_create(
                [User(username=f"m{each}", email=f"m{each}@example.org", activated_at=now)
                 for each in chunk]
            )  # fmt: skip
            Profile.objects.bulk_create([self._profile(Profile, user) for user in made])
            Preferences.objects.bulk_create([Preferences(user=user) for user in made])
            seen = [Presence(user=user, seen_at=now) for user in made[::50]]
            Presence.objects.bulk_create(seen)
            self.members += made

    def _profile(self, model: Any, user: Any) -> Any:
        profile = model.for_new(user.pk)
        profile.user = user
        return profile

    def _add_messages(self, number: int) -> None:
        """Add messages, each from a member to the next one; one in a hundred is to `reader`."""
        room = self._room(self.reader.pk, self.friend.pk)
        there = execute("SELECT count(*) FROM chat_message")[0][0]
        first, last = self.members[2].pk, self.members[-1].pk
        execute(
            """
            INSERT INTO chat_message (room, author_id, kind, body, created_at, guest_name)
            SELECT CASE WHEN n % 100 = 0 THEN %s ELSE 'direct:' || a || ':' || a + 1 END,
                   CASE WHEN n % 100 = 0 THEN %s ELSE a END, 'TEXT', 'number ' || n, now(), ''
            FROM (SELECT n, %s + n %% %s AS a FROM generate_series(%s, %s) AS n) AS numbers
            """.replace("n % 100", "n %% 100"),
            [room, self.friend.pk, first, max(1, last - first), there, number],
        )

    def _add_conversations(self) -> None:
        from django.utils import timezone

        from chat.models import Conversation, Message

        message = Message.objects.order_by("-pk").first()
        assert message is not None
        others = self.members[1 : 2 + len(self.members) // 100]
        Conversation.objects.bulk_create(
            [
                Conversation(
                    owner=self.reader, other=other, has_begun_it=True, created_at=timezone.now(),
                    last_message=message, last_at=timezone.now(), unread=number % 2,
                    read_id=message.pk,
                )
                for number, other in enumerate(others)
            ],
            ignore_conflicts=True,
        )  # fmt: skip

    def _middle_of_conversation(self) -> int:
        room = self._room(self.reader.pk, self.friend.pk)
        ids = execute("SELECT id FROM chat_message WHERE room = %s ORDER BY id", [room])
        return int(ids[len(ids) // 2][0])

    def _room(self, one: int, other: int) -> str:
        from chat.direct.room import room_of

        return room_of(one, other)


if __name__ == "__main__":
    main()
