"""Measure statistics, history and leaderboards before and after their data grows a hundredfold.

    TEST_POSTGRES_URL=postgres://... python -m tests.bench.stats_pages [--matches 100000]

Let `tests/bench/club.py` fill a site, first with a hundredth of the matches, then with all. Print
for each page the CPU time of a visit (PostgreSQL's included) with few and with all matches, the
ratio of the two and the numbers of queries; with `--plans` also PostgreSQL's plans. CPU time is
measured, since other work on the machine affects it least. Create a database and drop it at the
end.
"""

import argparse
import os

from tests.bench.club import Club, execute
from tests.bench.page_costs import PageCost, page_cost, print_growth, without_parallel_workers
from tests.load.racing import Database

os.environ["PYTEST_VERSION"] = "bench"  # chooses the settings of the tests
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

GROWTH = 100
VISITS = 15


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--matches", type=int, default=100_000)
    parser.add_argument("--visits", type=int, default=VISITS)
    parser.add_argument("--plans", action="store_true")
    given = parser.parse_args()
    with Database(os.environ["TEST_POSTGRES_URL"]) as database:
        without_parallel_workers(database)
        os.environ["DATABASE_URL"] = database.url
        os.environ["REDIS_URL"] = ""
        os.environ["MINIMUM_AGE"] = "0"
        os.environ["ASK_TO_ACCEPT_TERMS"] = "0"
        import django

        django.setup()
        from django.conf import settings
        from django.db import connections
        from django.test.utils import setup_test_environment

        setup_test_environment()
        settings.ACCOUNT_RATE_LIMITS = {}
        try:
            measure(given.matches, given.visits, given.plans)
        finally:
            connections.close_all()


def measure(matches: int, visits: int, shows_plans: bool) -> None:
    club = Club()
    reader = Reader(club, visits)
    club.grow_to(matches // GROWTH)
    before = reader.costs()
    club.grow_to(matches)
    print_growth(before, reader.costs(), shows_plans=shows_plans)


class Reader:
    """Visits pages as `club.reader`, the member whose pages are measured."""

    def __init__(self, club: Club, visits: int) -> None:
        self.club, self.visits = club, visits
        self.reader = club.reader

    def costs(self) -> dict[str, PageCost]:
        from django.test import Client

        from tests.accounts.factories import sign_in

        client = sign_in(Client(), self.reader)
        pages = self._pages().items()
        return {name: page_cost(client, address, self.visits) for name, address in pages}

    def _pages(self) -> dict[str, str]:
        own = f"/player/{self.reader.public_id}"
        middle = execute(
            "SELECT id FROM stats_playedmatch WHERE user_id = %s ORDER BY finished_at, id"
            " OFFSET %s LIMIT 1",
            [self.reader.pk, self.club.matches // 20],
        )[0][0]
        return {
            "statistics": f"{own}/statistics/",
            "statistics, 30 days": f"{own}/statistics/?period=month",
            "matches": f"{own}/matches/",
            "matches, a middle page": f"{own}/matches/?before={middle}",
            "matches against one": f"{own}/matches/?opponent=other",
            "matches lost, long": f"{own}/matches/?result=lost&variant=long",
            "rating changes": f"{own}/rating/",
            "opponents": "/opponents/",
            "an opponent": f"/opponents/{self.club.other.public_id}/",
            "achievements": f"{own}/achievements/",
            "luck and skill": "/skill/",
            "my dice": "/dice/mine/",
            "recap": f"/recap/{self._year()}/",
            "own page": f"{own}/",
            "statement": "/credits/",
            "leaders by rating": "/leaders/?by=rating&period=all",
            "leaders by wins, all": "/leaders/?by=wins&period=all",
            "leaders by winnings, week": "/leaders/?by=winnings&period=week",
        }

    def _year(self) -> int:
        from django.utils import timezone

        return timezone.now().year


if __name__ == "__main__":
    main()
