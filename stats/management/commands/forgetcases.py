"""Nightly: delete old cases of fair play."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.management.cutoffs import days_ago
from stats.integrity import services

DAYS = 365


class Command(BaseCommand):
    help = (
        "Delete cases of fair play that were closed long ago, with their evidence. Open cases stay."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--days",
            type=int,
            default=DAYS,
            help=f"closed more than this many days ago (default: {DAYS})",
        )

    def handle(self, *args: Any, days: int, **options: Any) -> None:
        if days < 1:
            raise CommandError("At least one day: a case may be reopened after an appeal.")
        count = services.forget(days_ago(days))
        self.stdout.write(f"{count} cases of fair play forgotten")
