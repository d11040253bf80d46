"""`manage.py forgetinvitations`: delete unused links, searches without a match, ended wishes."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from accounts.management.cutoffs import days_ago
from lobby.services import inviting, searching, wishing

DAYS = 7


class Command(BaseCommand):
    help = (
        "Delete the links to friendly matches and the searches for an opponent that led to no "
        "match, and members' wishes for games, if they ended more than some days ago."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--days", type=int, default=DAYS, help="default: %(default)s")

    def handle(self, *args: Any, days: int, **options: Any) -> None:
        count = inviting.forget(days_ago(days))
        self.stdout.write(f"Deleted {count} unused invitations.")
        searching.forget(days_ago(days))
        wishing.forget(days_ago(days))
