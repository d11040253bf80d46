"""No form of credits or prices reads "1.000" as 1: many people write it for a thousand."""

import pytest
from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db import models
from django.test import RequestFactory

from lobby.forms import AnnounceForm, FilterForm
from lobby.wish_form import WishForm
from shop.admin import PackPriceInline
from shop.models import Good, Pack, PackPrice
from stats.integrity.staff_actions import RefundForm
from tournaments.forms import TermsForm
from wallet.forms import CorrectionForm


def field_of_admin(model: type[models.Model], name: str) -> forms.Field:
    form = admin.site._registry[model].get_form(RequestFactory().get("/"))
    return form.base_fields[name]


def field_of_price() -> forms.Field:
    amount = PackPrice._meta.get_field("amount")
    request = RequestFactory().get("/")
    field = PackPriceInline(Pack, admin.site).formfield_for_dbfield(amount, request)
    assert isinstance(field, forms.Field)
    return field


@pytest.mark.parametrize(
    "field",
    [
        AnnounceForm.base_fields["stake"],
        FilterForm.base_fields["least_stake"],
        FilterForm.base_fields["most_stake"],
        WishForm.base_fields["least_stake"],
        WishForm.base_fields["most_stake"],
        RefundForm.base_fields["credits"],
        TermsForm.base_fields["fee_credits"],
        TermsForm.base_fields["prize_credits"],
        CorrectionForm.base_fields["credits"],
        field_of_admin(Good, "price_credits"),
        field_of_admin(Pack, "credits"),
        field_of_price(),
    ],
)
def test_a_point_between_digits_is_refused(field: forms.Field) -> None:
    assert field.clean("1000") == 1000
    with pytest.raises(ValidationError):
        field.clean("1.000")
