"""Amounts of money on pages, and the currency of a country. Amounts are hundredths."""

from decimal import Decimal

from django.utils.formats import number_format
from django.utils.translation import get_language

from shop.models import Currency

SYMBOLS = {Currency.RUB: "₽", Currency.TRY: "₺", Currency.EUR: "€", Currency.USD: "$"}
# Countries that use the euro. Members from countries without any of our currencies pay in dollars.
_EURO_COUNTRIES = """
    AD AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MC ME MT NL PT SI SK SM VA XK
"""
_COUNTRIES = {
    "RU": Currency.RUB,
    "TR": Currency.TRY,
    **dict.fromkeys(_EURO_COUNTRIES.split(), Currency.EUR),
}


def currency_of(country: str) -> Currency:
    return _COUNTRIES.get(country, Currency.USD)


def units(amount: int) -> Decimal:
    """Return an amount in whole units of its currency, with two decimal places."""
    return Decimal(amount) / 100


def amount_of(value: str) -> int:
    """Return the hundredths of a decimal text such as "499.00"; raise ValueError for any other."""
    try:
        hundredths = Decimal(value) * 100
    except ArithmeticError as error:
        raise ValueError(f"{value!r} is no amount") from error
    if not hundredths.is_finite() or hundredths != hundredths.to_integral_value():
        raise ValueError(f"{value!r} is no amount in hundredths")
    return int(hundredths)


def money_text(amount: int, currency: str) -> str:
    """Format an amount for the active language; whole amounts have no decimal places."""
    places = 0 if amount % 100 == 0 else 2
    number = number_format(units(amount), places, use_l10n=True, force_grouping=True)
    symbol = SYMBOLS[Currency(currency)]
    return f"{number}\N{NO-BREAK SPACE}{symbol}" if get_language() == "ru" else f"{symbol}{number}"
