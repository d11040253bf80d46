"""The first goods with their prices. Their titles are those of the looks, which are translated."""

from django.db import migrations

# In the order of the window, the dearest last.
BOARDS = {
    "birch": 400, "leather": 600, "slate": 600, "walnut": 800, "kilim": 1000, "midnight": 1200,
    "malachite": 1500, "pearl": 2500,
}  # fmt: skip
CHECKERS = {
    "cherry": 300, "rose": 400, "bone": 400, "turquoise": 500, "brass": 600, "silver": 700,
    "malachite": 800, "lapis": 900, "amber": 1000, "pearl": 1800,
}  # fmt: skip


def stock(apps, schema_editor):
    Good = apps.get_model("shop", "Good")
    for kind, prices in (("board", BOARDS), ("checkers", CHECKERS)):
        for order, (code, price) in enumerate(prices.items()):
            values = {"price_credits": price, "order": order}
            Good.objects.get_or_create(kind=kind, code=code, defaults=values)


class Migration(migrations.Migration):
    dependencies = [("shop", "0003_goods")]

    operations = [migrations.RunPython(stock, migrations.RunPython.noop)]
