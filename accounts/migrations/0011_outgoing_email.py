"""Rename Letter to OutgoingEmail. The table keeps its name: the release before reads it too."""

from django.db import migrations

ACTIONS = ("add", "change", "delete", "view")


def rename_permissions(apps, schema_editor):
    _rename(apps, schema_editor, "letter", "outgoingemail")


def restore_permissions(apps, schema_editor):
    _rename(apps, schema_editor, "outgoingemail", "letter")


def _rename(apps, schema_editor, old, new):
    """Keep the rows, so that groups and staff keep the rights that they were given."""
    permissions = apps.get_model("auth", "Permission").objects.using(schema_editor.connection.alias)
    for action in ACTIONS:
        permissions.filter(content_type__app_label="accounts", codename=f"{action}_{old}").update(
            codename=f"{action}_{new}"
        )


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0010_wording"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]

    operations = [
        migrations.AlterModelTable("letter", "accounts_letter"),
        migrations.RenameModel("Letter", "OutgoingEmail"),
        migrations.RunPython(rename_permissions, restore_permissions),
    ]
