"""After a change of IDENTITY_KEYS: store the fingerprints of all members under the new key."""

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from accounts.members import identities


class Command(BaseCommand):
    help = "Store fingerprints of all members' mailboxes and IDs at other sites; safe to repeat."

    def handle(self, *args: Any, **options: Any) -> None:
        count = identities.remember_all(timezone.now())
        self.stdout.write(f"{count} members have their fingerprints")
