"""Sentences for the refusals of buying and wearing looks."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.shared.refusals import Refused
from wallet import texts
from wallet.limits import texts as limit_texts
from wallet.limits.errors import OwnLimit


def of_refusal(refusal: Refused) -> str:
    if isinstance(refusal, OwnLimit):
        return limit_texts.of(refusal)
    if refusal.code == "insufficient_funds":
        missing = refusal.details["shortfall"]
        text = ngettext(
            "You are %(missing)d credit short.", "You are %(missing)d credits short.", missing
        )
        return text % {"missing": missing}
    if refusal.code == "credits_frozen":
        return texts.frozen()
    return {
        "not_member": _("Activate your account first: the link is in our email."),
        "not_on_sale": _("This is not on sale at the moment."),
        "good_owned": _("It is yours already: nothing was charged a second time."),
        "price_changed": _("The price has changed in the meantime. Nothing was charged."),
    }[refusal.code]
