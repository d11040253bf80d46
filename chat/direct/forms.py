"""Forms of the list of conversations."""

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from chat.direct.selectors import Show
from chat.models import Reach

SHOWN = [
    (Show.ALL, pgettext_lazy("conversations", "All")),
    (Show.UNREAD, pgettext_lazy("conversations", "Unread")),
    (Show.ONLINE, pgettext_lazy("people", "Online")),
    (Show.FRIENDS, pgettext_lazy("people", "Friends")),
    (Show.MET, pgettext_lazy("people", "Played with")),
    (Show.BLOCKED, pgettext_lazy("people", "Blocked")),
]


class PeopleForm(forms.Form):
    """Choose the people of the list; an unknown choice counts as the first one."""

    show = forms.ChoiceField(choices=SHOWN, required=False)
    login = forms.CharField(
        label=_("Find a player by login"),
        required=False,
        max_length=15,
        widget=forms.TextInput(
            {"type": "search", "autocomplete": "off", "autocapitalize": "none", "maxlength": 15}
        ),
    )

    @property
    def shown(self) -> Show:
        return Show(self.cleaned_data["show"] or Show.ALL) if self.is_valid() else Show.ALL

    @property
    def wanted_login(self) -> str:
        return self.cleaned_data["login"] if self.is_valid() else ""


class FindForm(forms.Form):
    """Choose messages that contain a text, and the message before which the page ends."""

    find = forms.CharField(required=False, max_length=100)
    before = forms.IntegerField(required=False, min_value=1, max_value=2**63 - 1)

    @property
    def text(self) -> str:
        return self.cleaned_data["find"] if self.is_valid() else ""

    @property
    def before_id(self) -> int | None:
        return self.cleaned_data["before"] if self.is_valid() else None


class ReachForm(forms.Form):
    accepts = forms.ChoiceField(
        label=_("Who may write to me"), choices=Reach.From.choices, widget=forms.RadioSelect
    )
