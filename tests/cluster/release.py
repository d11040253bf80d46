"""A later release of the site: the same code and a migration of matches, seats and actions."""

from pathlib import Path

from tests.support.site_copy import ROOT, copy_site

_MIGRATION = """
from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("games", "{before}")]

    operations = [
        migrations.AddField("match", "{name}", models.IntegerField(default=1, db_default=1)),
        migrations.AddField("seat", "{name}", models.IntegerField(null=True)),
        migrations.AddField("action", "{name}", models.IntegerField(null=True)),
        AddIndexConcurrently("match", models.Index(fields=["{name}"], name="games_{name}")),
    ]
"""

_FIELDS = """
Match.add_to_class("{name}", models.IntegerField(default=1, db_default=1))
Seat.add_to_class("{name}", models.IntegerField(null=True))
Action.add_to_class("{name}", models.IntegerField(null=True))
"""


def make_release(folder: Path, number: int) -> Path:
    """Copy the site to a new folder, with the migrations of this release and of earlier ones."""
    release = copy_site(folder)
    (release / "staticfiles").symlink_to(ROOT / "staticfiles")
    migrations = release / "games" / "migrations"
    before = max(path.stem for path in migrations.glob("0*.py"))
    fields = "\n\nfrom django.db import models\n"
    for each in range(1, number + 1):
        name = f"release_{each}"
        (migrations / f"{name}.py").write_text(_MIGRATION.format(before=before, name=name))
        fields += _FIELDS.format(name=name)
        before = name
    with (release / "games" / "models" / "__init__.py").open("a") as models:
        models.write(fields)
    return release
