"""The form of a friendly match by a link or a challenge, and the name of a guest."""

import re
import unicodedata
from typing import Any

from django import forms
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.shared.plain_text import as_login, comparable
from accounts.signup import reserved_logins
from accounts.signup.forms import OTHERS_LOGIN
from games.forms import RulesForm, turn_limit_choices
from games.models import GUEST_NAME_LENGTH
from lobby.services.inviting import Offer

# The choices of `access`: anyone with the link may accept, or one member.
LINK, PERSON = "LINK", "PERSON"
LOGIN_LENGTH = 10
_NOT_KEPT = ("guest_name", "access", "opponent")
# Letters of any script, digits, and between them a space, hyphen, apostrophe or period.
_NAME = re.compile(r"[^\W_](?:[ '\u2019.-]?[^\W_]){1,14}")
_MARKS = re.compile(r"[^\w]")
# The lists of reserved and offensive words spell Russian words in these Latin letters.
_AS_LATIN = str.maketrans(
    dict(zip("абвгдезиклмнопрстуфхыэі", "abvgdeziklmnoprstufhyei", strict=True))
    | {"ж": "zh", "ц": "ts", "ч": "ch", "ш": "sh", "щ": "shch", "ю": "yu", "я": "ya"}
    | dict.fromkeys("ъь", "")
)


def clean_name(typed: str) -> str:
    """Return the guest's name in its canonical spelling.

    Raises ValidationError for a malformed, reserved or offensive name.
    """
    name = " ".join(unicodedata.normalize("NFKC", typed).split())
    has_invisible = not all(map(comparable, name))  # a Hangul filler matches as a letter
    if not _NAME.fullmatch(name) or len(name) > GUEST_NAME_LENGTH or has_invisible:
        raise forms.ValidationError(_("2 to 15 letters or digits."))
    in_latin = comparable(name).translate(_AS_LATIN)
    # Marks between the letters could hide a word, so the name is also checked without them.
    spellings = {name, in_latin, *(_MARKS.sub("", each) for each in (name, in_latin))}
    if any(map(reserved_logins.is_official, spellings)) or any(
        map(reserved_logins.is_offensive, spellings)
    ):
        raise forms.ValidationError(_("Please choose another name."))
    return name


def find_by_login(login: str) -> User | None:
    """Return the member with this login, found regardless of case.

    No two logins differ in case alone.
    """
    named = User.objects.filter(username__iexact=as_login(login), activated_at__isnull=False)
    found = named.first()
    return found if found is not None and found.is_member else None


def unknown_login(login: str) -> str:
    """Return why no member was found by the login."""
    if not login.strip():
        return gettext("Enter your opponent’s login.")
    return gettext("There is no player with this login.")


def name_field() -> forms.CharField:
    return forms.CharField(
        label=_("Your name"),
        help_text=_("So that your opponent knows who is playing. 2 to 15 letters or digits."),
        max_length=GUEST_NAME_LENGTH,
        error_messages={"required": _("Please enter a name: 2 to 15 letters or digits.")},
        widget=forms.TextInput(attrs={"autocomplete": "nickname", "spellcheck": "false"}),
    )


class GuestNameForm(forms.Form):
    """The name under which a guest accepts an invitation; for members the form has no field."""

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
    """The rules, the time and the opponent of a friendly match; a guest gives a name too."""

    seconds = forms.TypedChoiceField(
        label=_("Time per turn"),
        help_text=_("After that your reserve runs: one minute per point, at least two minutes."),
        choices=turn_limit_choices,
        coerce=int,
        initial=60,
    )
    is_public = forms.BooleanField(
        label=_("Others can watch"),
        help_text=_("Spectators see the board and chat among themselves."),
        initial=False,
    )

    access = forms.ChoiceField(
        label=_("Who you invite"),
        choices=[
            (LINK, pgettext_lazy("who may join", "Anyone with the link")),
            (PERSON, pgettext_lazy("who may join", "A player on the site")),
        ],
        widget=forms.RadioSelect,
        initial=LINK,
    )
    opponent = forms.CharField(
        label=_("Your opponent’s login"),
        help_text=_("They see the challenge on every page of the site, for an hour."),
        max_length=LOGIN_LENGTH,
        widget=forms.TextInput(attrs=OTHERS_LOGIN),
    )

    def __init__(self, data: Any = None, *, is_guest: bool, **kwargs: Any) -> None:
        super().__init__(data, **kwargs)
        self.person: User | None = None
        if is_guest:
            self.fields["guest_name"] = name_field()
            del self.fields["access"], self.fields["opponent"]

    def clean_guest_name(self) -> str:
        return clean_name(self.cleaned_data["guest_name"])

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if cleaned.get("access") == PERSON:
            login = cleaned.get("opponent") or ""
            self.person = find_by_login(login)
            if self.person is None and "opponent" not in self.errors:
                self.add_error("opponent", unknown_login(login))
        return cleaned

    @property
    def choices(self) -> dict[str, Any]:
        """Return the choices to keep for a later invitation."""
        return {name: value for name, value in self.cleaned_data.items() if name not in _NOT_KEPT}

    @property
    def offer(self) -> Offer:
        chosen = self.cleaned_data
        return Offer(self.rules, chosen["is_public"], chosen.get("guest_name", ""))
