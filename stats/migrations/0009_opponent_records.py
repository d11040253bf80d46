import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0018_idle_reviews"),
        ("stats", "0008_earlier_reviews"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]
    operations = [
        migrations.CreateModel(
            name="OpponentRecord",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("won", models.PositiveIntegerField(default=0)),
                ("lost", models.PositiveIntegerField(default=0)),
                ("drawn", models.PositiveIntegerField(default=0)),
                ("last_at", models.DateTimeField()),
                (
                    "last_match",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="games.match",
                    ),
                ),
                (
                    "opponent",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="opponent_records",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "record against an opponent",
                "verbose_name_plural": "records against opponents",
                "ordering": ["-last_at", "-id"],
                "indexes": [
                    models.Index(fields=["user", "-last_at", "-id"], name="stats_opponent_page")
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("user", "opponent"), name="stats_opponentrecord_once"
                    )
                ],
            },
        ),
    ]
