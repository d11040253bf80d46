"""`manage.py opencases`: open a case of fair play for each new suspicion."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from accounts.models import User
from stats.integrity import services


class Command(BaseCommand):
    help = (
        "Nightly: look for what is unusual in matches for credits (shared devices, one-way flows, "
        "matches given up early, error rates, times of plays) and open a case for staff about the "
        "members concerned, with the evidence. Nothing is done to anybody. The same members get no "
        "second case while one is open, nor about matches from before its end: safe to repeat."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--dry-run", action="store_true", help="Print the suspicions; open no case."
        )

    def handle(self, *args: Any, **options: Any) -> None:
        now = timezone.now()
        if options["dry_run"]:
            new = services.new_suspicions(now)
            for each in new:
                self.stdout.write(f"{self._names(each.people)}: {', '.join(each.kinds)}")
            self.stdout.write(f"Cases to open: {len(new)}")
            return
        self.stdout.write(f"Cases opened: {len(services.open_suspicious(now))}")

    def _names(self, people: frozenset[int]) -> str:
        users = User.objects.filter(pk__in=people).order_by("pk")
        return ", ".join(users.values_list("username", flat=True))
