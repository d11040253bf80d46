import django.db.models.deletion
from django.db import migrations, models
from django.db.models import F


def count_refunds(apps, schema_editor):
    payments = apps.get_model("shop", "Payment").objects.filter(refunded_amount__gt=0)
    payments.update(refunds_amount=F("refunded_amount"))


def part_debts(apps, schema_editor):
    """Put each debt down to the last payments of which credits were taken back."""
    models = {name: apps.get_model("shop", name) for name in ("Debt", "DebtPart", "Payment")}
    for debt in models["Debt"].objects.filter(credits__gt=0):
        left = debt.credits
        paid = models["Payment"].objects.filter(user_id=debt.user_id, reversed_credits__gt=0)
        for payment in paid.order_by("-pk"):
            owed = min(left, payment.reversed_credits)
            if owed:
                models["DebtPart"].objects.create(debt=debt, payment=payment, owed_credits=owed)
            left -= owed


class Migration(migrations.Migration):
    dependencies = [("shop", "0005_top_ups")]

    operations = [
        migrations.AddField(
            model_name="payment",
            name="failed_refunds_amount",
            field=models.PositiveIntegerField(
                db_default=0, default=0, verbose_name="refunds that failed"
            ),
        ),
        migrations.AddField(
            model_name="payment",
            name="refunds_amount",
            field=models.PositiveIntegerField(db_default=0, default=0),
        ),
        migrations.CreateModel(
            name="DebtPart",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("owed_credits", models.PositiveIntegerField(default=0, verbose_name="owed")),
                ("waived_credits", models.PositiveIntegerField(default=0, verbose_name="waived")),
                (
                    "debt",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="parts",
                        to="shop.debt",
                    ),
                ),
                (
                    "payment",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="debt_part",
                        to="shop.payment",
                        verbose_name="payment",
                    ),
                ),
            ],
            options={
                "verbose_name": "part of a debt",
                "verbose_name_plural": "parts of a debt",
                "ordering": ("pk",),
            },
        ),
        migrations.RunPython(count_refunds, migrations.RunPython.noop),
        migrations.RunPython(part_debts, migrations.RunPython.noop),
    ]
