"""Nightly: delete old payments that were never paid, and old messages about payments."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.management.cutoffs import days_ago
from shop.payments import retention

DAYS = 90
LEAST_DAYS = 30  # until then providers may repeat messages or report late payments


class Command(BaseCommand):
    help = "Delete payments that were never paid, and messages about payments, from long ago."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--days",
            type=int,
            default=DAYS,
            help=f"begun or received more than this many days ago (default: {DAYS})",
        )

    def handle(self, *args: Any, days: int, **options: Any) -> None:
        if days < LEAST_DAYS:
            raise CommandError(f"At least {LEAST_DAYS} days: providers may still report payments.")
        count = retention.forget(days_ago(days))
        self.stdout.write(f"{count} payments forgotten")
