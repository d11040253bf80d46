"""Nightly: delete guests' matches untouched for a long time, and sessions out of use."""

from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from accounts.management.cutoffs import days_ago
from accounts.sessions.services import forget_ended
from games.services.guests import forget_guests, forget_idle_sessions

# Days after which a match without a play is deleted.
UNPLAYED_DAYS = 1
SESSION_DAYS = settings.SESSION_COOKIE_AGE // 86_400


class Command(BaseCommand):
    help = "Delete guests' matches that nobody touched for long, and sessions out of use."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--days",
            type=int,
            default=SESSION_DAYS,
            help="untouched for more than this many days "
            f"(default: {SESSION_DAYS}, a session's life)",
        )

    def handle(self, *args: Any, days: int, **options: Any) -> None:
        if days < 1:
            raise CommandError("At least one day: guests' running matches would be deleted too.")
        count = forget_guests(days_ago(days), days_ago(min(days, UNPLAYED_DAYS)))
        call_command("clearsessions")
        forget_idle_sessions(timezone.now())
        forget_ended()
        self.stdout.write(f"{count} matches forgotten")
