from django.db import migrations, models

# The choices of a member who never changed any at the table.
UNTOUCHED = {
    "board": "classic",
    "checkers": "classic",
    "checker_color": "side",
    "dice": "automatic",
    "tap": "select",
    "double_click": "none",
    "bear_off": "tap",
    "end_of_turn": "forced",
    "speed": "normal",
    "entropy": "random",
    "auto_bear_off": False,
    "warn_blunders": False,
    "numbers": True,
    "pips": True,
    "avatars": True,
    "sound_checkers": True,
    "sound_dice": True,
    "sound_turn": True,
    "sound_time": True,
    "vibration": False,
    "mirror_short": False,
    "mirror_long": False,
}


def give_new_defaults(apps, schema_editor):
    """Members who saved a choice at the table keep their way of playing."""
    preferences = apps.get_model("accounts", "Preferences").objects
    preferences.filter(**UNTOUCHED).update(tap="play", end_of_turn="safe")


def give_old_defaults(apps, schema_editor):
    """Replace the value that the code before this migration does not know."""
    preferences = apps.get_model("accounts", "Preferences").objects
    preferences.filter(end_of_turn="safe").update(end_of_turn="forced")


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0017_skips_known_terms"),
    ]

    operations = [
        migrations.AlterField(
            model_name="preferences",
            name="end_of_turn",
            field=models.CharField(
                choices=[
                    ("safe", "Automatically after 2 seconds; for credits with the button"),
                    ("forced", "Automatically, if the play was forced"),
                    ("confirm", "Always with the button"),
                    ("timed", "Automatically after 2 seconds"),
                ],
                default="safe",
                max_length=7,
            ),
        ),
        migrations.AlterField(
            model_name="preferences",
            name="tap",
            field=models.CharField(
                choices=[
                    ("play", "Play the checker at once"),
                    ("select", "Choose a checker, then where it goes"),
                ],
                default="play",
                max_length=6,
            ),
        ),
        migrations.RunPython(give_new_defaults, give_old_defaults),
    ]
