from django.db import migrations, models

import accounts.models.user

CONSTRAINT = "games_match_public_id"


class DropUnique(migrations.AlterField):
    """Rename the unique constraint, and drop the index for LIKE, while the site runs.

    On PostgreSQL AlterField and AddConstraint would drop the constraint and make it again: commands
    would wait until the new index is built.
    """

    def database_forwards(self, app_label, schema_editor, from_state, to_state):
        if schema_editor.connection.vendor != "postgresql":
            super().database_forwards(app_label, schema_editor, from_state, to_state)
            return
        model = from_state.apps.get_model(app_label, self.model_name)
        found = schema_editor._constraint_names(model, ["public_id"], unique=True)
        for name in found:
            schema_editor.execute(
                f'ALTER TABLE "{model._meta.db_table}" RENAME CONSTRAINT'
                f" {schema_editor.quote_name(name)} TO {CONSTRAINT}"
            )
        for name in schema_editor._constraint_names(model, ["public_id"], index=True, unique=False):
            schema_editor.execute(
                f"DROP INDEX CONCURRENTLY IF EXISTS {schema_editor.quote_name(name)}"
            )

    def database_backwards(self, app_label, schema_editor, from_state, to_state):
        super().database_forwards(app_label, schema_editor, from_state, to_state)


class AddUnique(migrations.AddConstraint):
    """Add the constraint where `DropUnique` did not rename it."""

    def database_forwards(self, app_label, schema_editor, from_state, to_state):
        if schema_editor.connection.vendor != "postgresql":
            super().database_forwards(app_label, schema_editor, from_state, to_state)


class Migration(migrations.Migration):
    atomic = False  # DROP INDEX CONCURRENTLY runs outside of a transaction

    dependencies = [
        ("games", "0023_indexes_of_commands"),
    ]

    operations = [
        DropUnique(
            model_name="match",
            name="public_id",
            field=models.CharField(
                default=accounts.models.user.new_public_id, editable=False, max_length=12
            ),
        ),
        AddUnique(
            model_name="match",
            constraint=models.UniqueConstraint(fields=("public_id",), name=CONSTRAINT),
        ),
    ]
