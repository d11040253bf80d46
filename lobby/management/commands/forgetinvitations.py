"""`manage.py forgetinvitations`: delete old invitations, searches, seeks and wishes.

Rows that led to a match are kept.
"""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.management.cutoffs import days_ago
from lobby.response_rate import COUNTED_FOR
from lobby.services import expiry, inviting, searching, wishing

DAYS = 7
# Announced games are kept this long, since challenges for credits count for the response rate.
SEEK_DAYS = COUNTED_FOR.days


class Command(BaseCommand):
    help = (
        "Delete the links to friendly matches and the searches for an opponent that led to no "
        "match, and members' wishes for games, if they ended more than some days ago. Announced "
        f"games that nobody joined, and challenges, are kept for at least {SEEK_DAYS} days."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--days",
            type=int,
            default=DAYS,
            help="ended more than this many days ago (default: %(default)s)",
        )

    def handle(self, *args: Any, days: int, **options: Any) -> None:
        if days < 1:
            raise CommandError("At least one day: links and wishes in force would be deleted too.")
        count = inviting.forget(days_ago(days))
        self.stdout.write(f"Deleted {count} unused invitations.")
        searching.forget(days_ago(days))
        wishing.forget(days_ago(days))
        expiry.forget(days_ago(max(days, SEEK_DAYS)))
