"""Nightly: delete old records of notices."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.management.cutoffs import days_ago
from accounts.notices import services as notices

DAYS = 30


class Command(BaseCommand):
    help = "Delete the records of notices that were written long ago."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--days",
            type=int,
            default=DAYS,
            help=f"written more than this many days ago (default: {DAYS})",
        )

    def handle(self, *args: Any, days: int, **options: Any) -> None:
        if days < 1:
            raise CommandError(
                "At least one day: the hourly limit counts notices of the last hour."
            )
        count = notices.forget(days_ago(days))
        self.stdout.write(f"{count} notices forgotten")
