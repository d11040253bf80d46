"""An email for an account that has none."""

from django import forms
from django.utils.translation import gettext_lazy as _


class AddEmailForm(forms.Form):
    email = forms.EmailField(
        label=_("Email"),
        max_length=254,
        help_text=_("We send a letter there; its link makes it yours."),
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )
