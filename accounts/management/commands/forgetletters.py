"""Nightly: letters that were sent, or given up, long ago."""

from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from accounts.services import letters

DAYS = 30


class Command(BaseCommand):
    help = "Delete the record of letters that were written long ago."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--days", type=int, default=DAYS, help=f"written so many days ago (default: {DAYS})"
        )

    def handle(self, *args: Any, days: int, **options: Any) -> None:
        if days <= letters.TOO_OLD.days:
            raise CommandError(
                f"More than {letters.TOO_OLD.days} days: younger letters may still wait to be sent."
            )
        count = letters.forget(timezone.now() - timedelta(days=days))
        self.stdout.write(f"{count} letters forgotten")
