"""Users made before there were profiles get theirs."""

from django.db import migrations


def complete(apps, schema_editor):
    User = apps.get_model("accounts", "User")
    for name in ("Profile", "Preferences"):
        model = apps.get_model("accounts", name)
        have = set(model.objects.values_list("user_id", flat=True))
        lacking = User.objects.exclude(id__in=have).values_list("id", flat=True)
        model.objects.bulk_create(model(user_id=id) for id in lacking)


class Migration(migrations.Migration):
    dependencies = [("accounts", "0002_members")]
    operations = [migrations.RunPython(complete, migrations.RunPython.noop)]
