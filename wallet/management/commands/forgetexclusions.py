"""Nightly: delete exclusions that ended long ago."""

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from wallet.limits import exclusions


class Command(BaseCommand):
    help = f"Delete the exclusions that ended more than {exclusions.KEPT_FOR.days} days ago."

    def handle(self, *args: Any, **options: Any) -> None:
        count = exclusions.forget(timezone.now() - exclusions.KEPT_FOR)
        self.stdout.write(f"{count} exclusions forgotten")
