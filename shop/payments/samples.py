"""Packs of credits for a demonstration."""

from accounts.shared.transactions import write_transaction
from shop.models import Currency, Pack, PackPrice

# Credits -> hundredths of rubles, lira, euros and dollars.
_PACKS = {
    500: (9_900, 4_990, 99, 99),
    1_500: (24_900, 12_990, 249, 249),
    4_000: (59_900, 29_990, 599, 599),
    10_000: (129_900, 64_990, 1_299, 1_299),
}
_CURRENCIES = (Currency.RUB, Currency.TRY, Currency.EUR, Currency.USD)


def make() -> int:
    """Create the packs unless there are some already; return the number of packs created."""
    with write_transaction():
        if Pack.objects.exists():
            return 0
        for position, (credits, amounts) in enumerate(_PACKS.items()):
            pack = Pack.objects.create(credits=credits, position=position)
            PackPrice.objects.bulk_create(
                PackPrice(pack=pack, currency=currency, amount=amount)
                for currency, amount in zip(_CURRENCIES, amounts, strict=True)
            )
        return len(_PACKS)
