"""Nightly: delete registrations that were never activated."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.management.cutoffs import days_ago
from accounts.signup import services as signup
from accounts.signup.selectors import KEPT_FOR


class Command(BaseCommand):
    help = "Delete accounts that were never activated, so that their logins are free again."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--days",
            type=int,
            default=KEPT_FOR.days,
            help=f"signed up more than this many days ago (default: {KEPT_FOR.days})",
        )

    def handle(self, *args: Any, days: int, **options: Any) -> None:
        if days < 3:
            raise CommandError("At least three days: the emailed links work for that time.")
        count = signup.forget(days_ago(days))
        self.stdout.write(f"{count} registrations forgotten")
