"""`manage.py compilelocale`: compile the translation files, without GNU gettext."""

from typing import Any

from django.core.management.base import BaseCommand

from config.i18n.translations import compile_catalogs


class Command(BaseCommand):
    help = "Compile the translation files (.po) of the site."
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(f"{compile_catalogs()} translation files compiled.")
