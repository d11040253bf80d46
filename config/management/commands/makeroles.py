"""`manage.py makeroles`: make the groups of the staff's roles."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.staff.groups import Difference, UnknownPermission, group_differences, make_groups
from config.staff.roles import ROLES


class Command(BaseCommand):
    help = (
        "Make a group for each role of the staff, with exactly the permissions of "
        "config/staff/roles.py, and print what was changed. Safe to repeat; other groups stay as "
        "they are. A superuser puts staff into the groups, on their page of the administration."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--dry-run", action="store_true", help="Print what would be changed; change nothing."
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            found = group_differences() if options["dry_run"] else make_groups()
        except UnknownPermission as error:
            raise CommandError(f"Run `manage.py migrate` first. Unknown: {error}") from error
        for each in found:
            self._show(each)
        self.stdout.write(f"{len(found)} of {len(ROLES)} roles differed.")

    def _show(self, difference: Difference) -> None:
        self.stdout.write(f"{difference.role}{' (new)' if difference.is_new else ''}")
        for sign, names in (("+", difference.lacks), ("-", difference.exceeds)):
            for name in sorted(names):
                self.stdout.write(f"  {sign} {name}")
