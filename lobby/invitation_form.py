"""The form of a friendly match by a link, and the name of a guest."""

import re
import unicodedata
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.signup import reserved_logins
from games.forms import NO_LIMIT, RulesForm, second_choices
from games.models import GUEST_NAME_LENGTH
from lobby.services.inviting import Wish

# Letters of any script, digits, and between them a space, hyphen, apostrophe or point.
_NAME = re.compile(r"[^\W_](?:[ '\u2019.-]?[^\W_]){1,14}")
_MARKS = re.compile(r"[^\w]")


def clean_name(typed: str) -> str:
    """Return the guest's name in its canonical spelling; raise ValidationError."""
    name = " ".join(unicodedata.normalize("NFKC", typed).split())
    if not _NAME.fullmatch(name) or len(name) > GUEST_NAME_LENGTH:
        raise forms.ValidationError(_("2 to 15 letters or digits."))
    # Also without the marks between the letters, which could hide a word.
    spellings = {name, _MARKS.sub("", name)}
    if any(map(reserved_logins.is_official, spellings)) or any(
        map(reserved_logins.is_offensive, spellings)
    ):
        raise forms.ValidationError(_("Please choose another name."))
    return name


def name_field() -> forms.CharField:
    return forms.CharField(
        label=_("Your name"),
        help_text=_("So that your opponent knows who is playing. 2 to 15 letters or digits."),
        max_length=GUEST_NAME_LENGTH,
        widget=forms.TextInput(attrs={"autocomplete": "nickname", "spellcheck": "false"}),
    )


class GuestNameForm(forms.Form):
    """The name under which a guest accepts an invitation; members have none to give."""

    def __init__(self, data: Any = None, *, is_guest: bool, **kwargs: Any) -> None:
        super().__init__(data, **kwargs)
        if is_guest:
            self.fields["guest_name"] = name_field()

    def clean_guest_name(self) -> str:
        return clean_name(self.cleaned_data["guest_name"])

    @property
    def name(self) -> str:
        name: str = self.cleaned_data.get("guest_name", "")
        return name


class InvitationForm(RulesForm):
    """The rules and the time of a friendly match; a guest gives a name too."""

    seconds = forms.TypedChoiceField(
        label=_("Time per turn"),
        help_text=_("After that your reserve runs: one minute per point, at least two minutes."),
        choices=lambda: [choice for choice in second_choices() if choice[0] != NO_LIMIT],
        coerce=int,
        initial=60,
    )
    is_public = forms.BooleanField(
        label=_("Others can watch"),
        help_text=_("Spectators see the board and chat among themselves."),
        initial=False,
    )

    def __init__(self, data: Any = None, *, is_guest: bool, **kwargs: Any) -> None:
        super().__init__(data, **kwargs)
        if is_guest:
            self.fields["guest_name"] = name_field()

    def clean_guest_name(self) -> str:
        return clean_name(self.cleaned_data["guest_name"])

    @property
    def choices(self) -> dict[str, Any]:
        """Return the choices to keep for a later invitation."""
        return {name: value for name, value in self.cleaned_data.items() if name != "guest_name"}

    @property
    def wish(self) -> Wish:
        chosen = self.cleaned_data
        return Wish(self.rules, chosen["is_public"], chosen.get("guest_name", ""))
