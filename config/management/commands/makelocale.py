"""`manage.py makelocale`: collect the texts of pages and scripts into the translation files."""

import shutil
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from config.i18n.translations import DOMAINS, catalog_paths, tidy
from config.management.commands.i18n_status import show_status

IGNORED = [".venv", "staticfiles", "var", "tests", "node_modules"]


class Command(BaseCommand):
    help = "Collect new texts for translators (needs GNU gettext). English is filled in by itself."

    def handle(self, *args: Any, **options: Any) -> None:
        if shutil.which("xgettext") is None:
            raise CommandError("GNU gettext is not installed (Debian: apt install gettext).")
        for domain in DOMAINS:
            call_command(
                "makemessages",
                locale=[code for code, _ in settings.LANGUAGES],
                domain=domain,
                ignore_patterns=IGNORED,
                add_location="file",
                no_obsolete=True,
                verbosity=0,
            )
        for language, path in catalog_paths():
            if path.exists():
                tidy(language, path)
        show_status(self.stdout)
