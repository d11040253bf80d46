from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0020_letter_keys"),
    ]

    operations = [
        migrations.AddField(
            model_name="preferences",
            name="volume",
            field=models.CharField(
                choices=[
                    ("0", "0 %"),
                    ("10", "10 %"),
                    ("20", "20 %"),
                    ("30", "30 %"),
                    ("40", "40 %"),
                    ("50", "50 %"),
                    ("60", "60 %"),
                    ("70", "70 %"),
                    ("80", "80 %"),
                    ("90", "90 %"),
                    ("100", "100 %"),
                ],
                db_default="70",
                default="70",
                max_length=3,
            ),
        ),
    ]
