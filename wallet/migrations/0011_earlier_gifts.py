from django.db import migrations
from django.db.models import Sum

GIFTS = ["welcome", "welcome_step", "refill", "gift"]
CHUNK = 500


def sum_earlier_gifts(apps, schema_editor):
    Account = apps.get_model("wallet", "Account")
    entries = apps.get_model("wallet", "Entry").objects.filter(transfer__cause__in=GIFTS)
    kept = Account.objects.exclude(kind="HOUSE").order_by("pk")
    ids = list(kept.values_list("pk", flat=True))
    for start in range(0, len(ids), CHUNK):
        chunk = entries.filter(account__in=ids[start : start + CHUNK])
        sums = chunk.order_by().values_list("account").annotate(Sum("amount_credits"))
        Account.objects.bulk_update(
            [Account(pk=pk, given_credits=total) for pk, total in sums], ["given_credits"]
        )


class Migration(migrations.Migration):
    dependencies = [("wallet", "0010_given_credits")]
    operations = [migrations.RunPython(sum_earlier_gifts, migrations.RunPython.noop)]
