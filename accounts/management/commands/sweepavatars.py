"""Nightly: delete avatar files that no account refers to."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from accounts.profile import avatars


class Command(BaseCommand):
    help = (
        "Delete avatar files that no account refers to and that are older than a day: a process "
        "that is killed after it saved an upload, or before it deleted an old file, leaves one."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--dry-run", action="store_true", help="Print the files' names; delete none."
        )

    def handle(self, *args: Any, **options: Any) -> None:
        before = timezone.now() - avatars.STRAY_FOR
        if options["dry_run"]:
            names = avatars.stray(before)
            for name in names:
                self.stdout.write(name)
            self.stdout.write(f"Avatar files to delete: {len(names)}")
            return
        self.stdout.write(f"{avatars.delete_stray(before)} avatar files deleted")
