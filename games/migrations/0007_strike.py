import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


def rename_content_type(apps, schema_editor):
    """Keep the permissions that staff have on strikes, and the admin's log of them."""
    _rename(apps, schema_editor, "lobby", "games")


def rename_content_type_back(apps, schema_editor):
    _rename(apps, schema_editor, "games", "lobby")


def _rename(apps, schema_editor, old, new):
    content_type = apps.get_model("contenttypes", "ContentType")
    types = content_type.objects.using(schema_editor.connection.alias).filter(model="strike")
    if not types.filter(app_label=new).exists():
        types.filter(app_label=old).update(app_label=new)


class Migration(migrations.Migration):
    """State only: the table was made by lobby 0001_initial."""

    dependencies = [
        ("games", "0006_kind_policy"),
        ("lobby", "0004_strike_moves_to_games"),
        ("contenttypes", "0002_remove_content_type_name"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.CreateModel(
                    name="Strike",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        (
                            "kind",
                            models.CharField(
                                choices=[
                                    ("NO_START", "Did not start"),
                                    ("WALKED_AWAY", "Walked away"),
                                    ("STALLED", "Let the time run out"),
                                ],
                                max_length=12,
                            ),
                        ),
                        ("created_at", models.DateTimeField()),
                        ("lifted_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "lifted_by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "match",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="strikes",
                                to="games.match",
                            ),
                        ),
                        (
                            "user",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="strikes",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "strike",
                        "verbose_name_plural": "strikes",
                        "db_table": "lobby_strike",
                        "ordering": ["-created_at"],
                        "indexes": [
                            models.Index(fields=["user", "-created_at"], name="lobby_strike_user")
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("user", "match"), name="lobby_strike_once"
                            )
                        ],
                    },
                ),
            ],
        ),
        migrations.RunPython(rename_content_type, rename_content_type_back),
    ]
