from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class AddIndexOfHidden(AddIndexConcurrently):
    """Build the index while the site runs: AddIndex would let nobody write meanwhile."""

    def database_forwards(self, app_label, schema_editor, from_state, to_state):
        _operation(schema_editor).database_forwards(
            self, app_label, schema_editor, from_state, to_state
        )

    def database_backwards(self, app_label, schema_editor, from_state, to_state):
        _operation(schema_editor).database_backwards(
            self, app_label, schema_editor, from_state, to_state
        )


def _operation(schema_editor):
    is_postgres = schema_editor.connection.vendor == "postgresql"
    return AddIndexConcurrently if is_postgres else migrations.AddIndex


class Migration(migrations.Migration):
    atomic = False  # CREATE INDEX CONCURRENTLY runs outside of a transaction

    dependencies = [("chat", "0013_languages_of_the_site")]

    operations = [
        AddIndexOfHidden(
            model_name="message",
            index=models.Index(
                fields=["hidden_at"],
                name="chat_message_hidden",
                condition=models.Q(hidden_at__isnull=False),
            ),
        ),
    ]
