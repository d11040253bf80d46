"""`manage.py i18n_status`: show each language's progress, list missing translations."""

from typing import Any

from django.core.management.base import BaseCommand

from config.i18n.translations import catalog_paths, counts, problems


class Command(BaseCommand):
    help = "Show how complete the translations are and list what is missing."
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        found: list[str] = []
        for language, path in catalog_paths():
            found += problems(language, path)
            if path.exists():
                done, every = counts(path)
                self.stdout.write(f"{language}/{path.name}: {done} of {every}")
        for problem in found:
            self.stdout.write(f"  {problem}")
        self.stdout.write("Nothing is missing." if not found else f"{len(found)} to do.")
