"""Titles of causes: the wallet's own, those of apps above, and unregistered ones."""

import pytest
from django.utils import translation
from django.utils.translation import gettext_lazy

from wallet import causes
from wallet.models import Hold, Transfer

PARTIES = causes.Group("parties", gettext_lazy("Gifts"))


@pytest.fixture
def registry(monkeypatch):
    """Register a cause of an app above, beside the wallet's own."""
    own = {code: causes._registered[code] for code in ("welcome", "correction")}
    monkeypatch.setattr(causes, "_registered", own)
    causes.register("party", gettext_lazy("Reason"), PARTIES, lambda ref: f"/parties/{ref}/")


def test_welcome_credits_have_a_title_and_no_link():
    assert causes.describe(Transfer(cause="welcome")) == ("Welcome credits", None)


def test_an_app_above_registers_a_title_and_a_link(registry):
    assert causes.describe(Transfer(cause="party", reference="x7")) == ("Reason", "/parties/x7/")


def test_a_hold_is_named_as_a_transfer_is(registry):
    assert causes.describe(Hold(cause="party", reference="x7")) == ("Reason", "/parties/x7/")


def test_a_cause_without_a_reference_has_no_link(registry):
    assert causes.describe(Transfer(cause="party"))[1] is None


def test_titles_are_in_the_readers_language(registry):
    with translation.override("ru"):
        title, _ = causes.describe(Transfer(cause="party"))
        assert title == translation.gettext("Reason")


def test_an_unregistered_cause_is_shown_by_its_code():
    assert causes.describe(Transfer(cause="lottery", reference="9")) == ("Other (lottery)", None)


def test_a_reversal_describes_and_links_the_reversed_transfer(registry):
    reversal = Transfer(cause="correction", reverses=Transfer(cause="party", reference="x7"))
    assert causes.describe(reversal) == ("Reversed: Reason", "/parties/x7/")


def test_a_code_can_be_registered_only_once(registry):
    with pytest.raises(ValueError, match="party"):
        causes.register("party", "Another", PARTIES)


def test_groups_are_listed_once_with_other_last(registry):
    causes.register("ball", "Ball", PARTIES)
    codes = [group.code for group in causes.groups()]
    assert codes == ["gifts", "corrections", "parties", "other"]
    assert causes.codes_of(PARTIES) == ["party", "ball"]
