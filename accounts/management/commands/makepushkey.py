"""Print a new pair of keys for Web Push."""

from typing import Any

from django.core.management.base import BaseCommand

from accounts.notices import vapid


class Command(BaseCommand):
    help = "Print a new key for VAPID_PRIVATE_KEY, and the public key that belongs to it."

    def handle(self, *args: Any, **options: Any) -> None:
        key = vapid.new_private_key()
        self.stdout.write(f"VAPID_PRIVATE_KEY={key}")
        self.stdout.write(f"# public key, which the site derives: {vapid.public_of(key)}")
