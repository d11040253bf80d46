"""Nightly: delete chat messages that were written at tables long ago."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.management.cutoffs import days_ago
from games.services import chat

DAYS = 365


class Command(BaseCommand):
    help = "Delete the messages of players and spectators at tables, except reported ones."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--days",
            type=int,
            default=DAYS,
            help=f"written more than this many days ago (default: {DAYS})",
        )

    def handle(self, *args: Any, days: int, **options: Any) -> None:
        if days < 30:
            raise CommandError("At least 30 days: a message may still be reported.")
        count = chat.forget_old(days_ago(days))
        self.stdout.write(f"{count} messages forgotten")
