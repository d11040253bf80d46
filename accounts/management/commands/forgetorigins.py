"""Nightly: delete old hashes of members' networks and devices (origins)."""

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from accounts.sessions import origins


class Command(BaseCommand):
    help = (
        f"Delete hashes of members' networks and devices unused for {origins.KEPT_FOR.days} days."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        count = origins.forget(timezone.now() - origins.KEPT_FOR)
        self.stdout.write(f"{count} origins forgotten")
