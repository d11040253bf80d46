"""No form of credits reads "1.000" as 1: many people write it for a thousand."""

import pytest
from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db import models
from django.test import RequestFactory

from lobby.forms import AnnounceForm, FilterForm
from lobby.wish_form import WishForm
from shop.models import Good, Pack
from stats.integrity.staff_actions import RefundForm
from tournaments.forms import TermsForm
from wallet.forms import CorrectionForm


def field_of_admin(model: type[models.Model], name: str) -> forms.Field:
    form = admin.site._registry[model].get_form(RequestFactory().get("/"))
    return form.base_fields[name]


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
    ],
)
def test_a_point_between_digits_is_refused(field: forms.Field) -> None:
    assert field.clean("1000") == 1000
    with pytest.raises(ValidationError):
        field.clean("1.000")
