from django.db import migrations


class Migration(migrations.Migration):
    """State only: the table stays, and games 0007_strike continues with it."""

    dependencies = [
        ("lobby", "0003_removed"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[migrations.DeleteModel(name="Strike")],
        ),
    ]
