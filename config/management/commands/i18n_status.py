"""`manage.py i18n_status`: show each language's progress, list missing translations."""

from typing import Any

from django.core.management.base import BaseCommand, OutputWrapper

from config.i18n.translations import catalog_paths, counts, problems


class Command(BaseCommand):
    help = "Show how complete the translations are and list what is missing. Exit 1 if anything is."
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        if show_status(self.stdout):
            raise SystemExit(1)


def show_status(out: OutputWrapper) -> int:
    """Write the progress of each catalog and each problem; return the number of problems."""
    found: list[str] = []
    for language, path in catalog_paths():
        found += problems(language, path)
        if path.exists():
            done, every = counts(path)
            out.write(f"{language}/{path.name}: {done} of {every}")
    for problem in found:
        out.write(f"  {problem}")
    out.write("Nothing is missing." if not found else f"{len(found)} to do.")
    return len(found)
