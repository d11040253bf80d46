from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("wallet", "0009_limits")]
    operations = [
        migrations.AddField(
            model_name="account",
            name="given_credits",
            field=models.BigIntegerField(db_default=0, default=0),
        ),
    ]
