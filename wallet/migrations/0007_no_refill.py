"""Replace the switch of refills by that of the shop's gifts."""

from django.db import migrations


def rename_switch(apps, schema_editor):  # type: ignore[no-untyped-def]
    """Switch the new gifts on: staff switch refills off when gifts take over."""
    switches = apps.get_model("wallet", "GiftSwitch").objects
    switches.filter(cause="refill").delete()
    switches.get_or_create(cause="gift")


class Migration(migrations.Migration):
    dependencies = [
        ("wallet", "0006_refill"),
    ]

    operations = [
        migrations.RunPython(rename_switch, migrations.RunPython.noop),
        migrations.DeleteModel(name="Refill"),
    ]
