from django.db import migrations
from django.utils import timezone


def queue_present_pictures(apps, schema_editor):
    """Let staff check the pictures that were uploaded before there was a queue."""
    Profile, Picture = apps.get_model("accounts", "Profile"), apps.get_model("accounts", "Picture")
    now = timezone.now()
    Picture.objects.bulk_create(
        Picture(user_id=user_id, file=name, uploaded_at=now)
        for user_id, name in Profile.objects.exclude(avatar_file="").values_list(
            "user_id", "avatar_file"
        )
    )


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0014_pictures"),
    ]

    operations = [
        migrations.RunPython(queue_present_pictures, migrations.RunPython.noop),
    ]
