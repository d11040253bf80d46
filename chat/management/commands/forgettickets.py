"""Nightly: delete old requests to support."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.management.cutoffs import days_ago
from chat.support import services

DAYS = 365


class Command(BaseCommand):
    help = "Delete requests to support long after their last message, unless they still wait."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--days", type=int, default=DAYS, help=f"days since the last message (default: {DAYS})"
        )

    def handle(self, *args: Any, days: int, **options: Any) -> None:
        if days < 1:
            raise CommandError("--days must be at least 1: a daily limit counts newer requests.")
        count = services.forget_old(days_ago(days))
        self.stdout.write(f"{count} requests to support forgotten")
