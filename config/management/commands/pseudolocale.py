"""`manage.py pseudolocale`: copy the translations, with English as longer, accented texts."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from config.i18n.pseudo_locale import write_pseudo_locale


class Command(BaseCommand):
    help = (
        "Write a copy of the translations in which English is a pseudo-locale: accented, a third"
        " longer, in brackets. Start the site with LOCALE_DIR set to the folder to see which texts"
        " bypass translation, are put together from pieces, or are clipped when they are longer."
    )
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path, help="a folder that does not exist yet")

    def handle(self, *args: Any, **options: Any) -> None:
        folder: Path = options["folder"].resolve()
        try:
            write_pseudo_locale(settings.LOCALE_DIR, folder)
        except FileExistsError:
            raise CommandError(f"{folder} exists already: name another folder.") from None
        self.stdout.write(f"Written. Start the site with LOCALE_DIR={folder} and choose English.")
