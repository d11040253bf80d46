"""Nightly: delete old reports."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.management.cutoffs import days_ago
from chat.services import retention

DAYS = 730


class Command(BaseCommand):
    help = "Delete reports that were closed long ago, with the silences that came of them."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--days",
            type=int,
            default=DAYS,
            help=f"days since a report was closed (default: {DAYS})",
        )

    def handle(self, *args: Any, days: int, **options: Any) -> None:
        if days < 30:
            raise CommandError("At least 30 days: that is the longest silence.")
        count = retention.forget_reports(days_ago(days))
        self.stdout.write(f"{count} reports forgotten")
