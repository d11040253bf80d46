"""Nightly: delete old records of emails."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.mail import sender
from accounts.management.cutoffs import days_ago

DAYS = 30


class Command(BaseCommand):
    help = "Delete the records of emails that were written long ago."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--days",
            type=int,
            default=DAYS,
            help=f"written more than this many days ago (default: {DAYS})",
        )

    def handle(self, *args: Any, days: int, **options: Any) -> None:
        if days <= sender.TOO_OLD.days:
            raise CommandError(
                f"--days must exceed {sender.TOO_OLD.days}: newer emails may still wait to be sent."
            )
        count = sender.forget(days_ago(days))
        self.stdout.write(f"{count} emails forgotten")
