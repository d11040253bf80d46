"""Leave space in the pages of matches and seats for new versions of their rows (PostgreSQL).

Every command writes its match, and often a seat. A new version of a row that fits into the page of
the old one needs no new entries in the indexes.
"""

from typing import Any

from django.db import migrations

# Percent of a page that inserts may fill.
FILLED = 50


def leave_space(apps: Any, schema_editor: Any) -> None:
    _set(schema_editor, f"SET (fillfactor = {FILLED})")


def fill_pages(apps: Any, schema_editor: Any) -> None:
    _set(schema_editor, "RESET (fillfactor)")


def _set(schema_editor: Any, change: str) -> None:
    if schema_editor.connection.vendor != "postgresql":
        return
    for table in ("games_match", "games_seat"):
        schema_editor.execute(f'ALTER TABLE "{table}" {change}')


class Migration(migrations.Migration):
    dependencies = [("games", "0024_one_index_for_the_public_id")]

    operations = [migrations.RunPython(leave_space, fill_pages)]
