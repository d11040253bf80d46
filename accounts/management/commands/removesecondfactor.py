"""Switch off the two-step sign-in of an account, such as that of the only superuser."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.models import User
from accounts.second_factor import services


class Command(BaseCommand):
    help = (
        "Switch off the two-step sign-in of an account, sign it out, and send its owner an email."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("login")

    def handle(self, *args: Any, **options: Any) -> None:
        user = User.objects.filter(username__iexact=options["login"]).first()
        if user is None:
            raise CommandError(f"There is no account {options['login']}.")
        if not services.remove(user.pk):
            raise CommandError(f"{user.username} signs in without a second step.")
        self.stdout.write(f"{user.username} signs in by password alone")
