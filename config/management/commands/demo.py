"""`manage.py demo`: what a demonstration on this machine needs beside an empty database."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from accounts.models import User

# Known to everybody who reads this: only for a site that nobody else can reach.
STAFF_LOGIN = "staff"
STAFF_PASSWORD = "Gammon5stars"


class Command(BaseCommand):
    help = "Make the demonstration's staff account. Only where DEMO is on; safe to repeat."

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.DEMO:
            raise CommandError(
                "Sample data has a known password. It is made only where DEMO is on."
            )
        if User.objects.filter(username__iexact=STAFF_LOGIN).exists():
            return
        User.objects.create_superuser(STAFF_LOGIN, "", STAFF_PASSWORD)
        self.stdout.write(f"Staff account: {STAFF_LOGIN} / {STAFF_PASSWORD}")
