"""Members from before there were fingerprints get theirs, the first to be activated first."""

from django.db import migrations
from django.utils import timezone

from accounts.members.identities import digests_of, identities_of

BATCH = 500


def fill(apps, schema_editor):
    User = apps.get_model("accounts", "User")
    members = User.objects.filter(activated_at__isnull=False, closed_at__isnull=True)
    ids = list(members.order_by("activated_at", "pk").values_list("pk", flat=True))
    for start in range(0, len(ids), BATCH):
        _fill(apps, ids[start : start + BATCH])


def _fill(apps, ids):
    Fingerprint = apps.get_model("accounts", "Fingerprint")
    emails = {id: set() for id in ids}
    connections = {id: set() for id in ids}
    users = apps.get_model("accounts", "User").objects.filter(pk__in=ids)
    addresses = apps.get_model("account", "EmailAddress").objects.filter(
        user__in=ids, verified=True
    )
    for id, email in [*users.values_list("pk", "email"), *addresses.values_list("user", "email")]:
        emails[id].add(email)
    others = apps.get_model("socialaccount", "SocialAccount").objects.filter(user__in=ids)
    for id, provider, uid in others.values_list("user", "provider", "uid"):
        connections[id].add((provider, uid))
    now = timezone.now()
    new = [
        Fingerprint(digest=digest, user_id=id, created_at=now)
        for id in ids
        for identity in sorted(identities_of(emails[id], connections[id]))
        for digest in digests_of(identity)
    ]
    Fingerprint.objects.bulk_create(new, batch_size=BATCH, ignore_conflicts=True)


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0007_fingerprint"),
        ("account", "0009_emailaddress_unique_primary_email"),
        ("socialaccount", "0006_alter_socialaccount_extra_data"),
    ]
    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
