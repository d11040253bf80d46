"""Newcomers accept the terms when they create their account."""

from datetime import date

import pytest
from django.utils import timezone

from accounts.law.services import accept, must_accept
from accounts.law.versions import current_version
from accounts.models import Acceptance, User
from accounts.shared.refusals import Refused
from tests.accounts.factories import UserFactory
from tests.accounts.signup.signing_up import SIGN_UP, sign_up
from tests.accounts.social.facebook_dance import SIGN_UP as SOCIAL_SIGN_UP
from tests.accounts.social.facebook_dance import choose, dance
from tests.accounts.social.fake_facebook import facebook_with_keys

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _asks(settings):
    settings.ASK_TO_ACCEPT_TERMS = True


def version_in_force() -> str:
    return current_version().isoformat()


def test_accepted_version_and_language_are_stored_with_the_time(client):
    page = client.get(SIGN_UP).content.decode()
    assert f'type="checkbox" name="accepts" id="id_accepts" value="{version_in_force()}"' in page
    assert sign_up(client, accepts=version_in_force()).status_code == 302
    stored = Acceptance.objects.get(user__username="Boris7")
    assert (stored.version, stored.language) == (current_version(), "en")
    assert abs((timezone.now() - stored.accepted_at).total_seconds()) < 60
    assert not must_accept(stored.user_id)


@pytest.mark.parametrize("sent", [{}, {"accepts": ""}, {"accepts": "2020-01-01"}])
def test_no_account_is_created_without_accepting_the_terms_in_force(client, sent):
    answer = sign_up(client, **sent)
    assert answer.status_code == 422
    assert 'id="id_accepts_error"' in answer.content.decode()
    assert not User.objects.exists()


def test_checkbox_stays_checked_when_another_field_is_wrong(client):
    page = sign_up(client, login="a", accepts=version_in_force()).content.decode()
    assert f'value="{version_in_force()}" required checked' in page


def test_sign_up_has_no_checkbox_if_the_site_does_not_ask(client, settings):
    settings.ASK_TO_ACCEPT_TERMS = False
    assert 'name="accepts"' not in client.get(SIGN_UP).content.decode()
    assert sign_up(client).status_code == 302
    assert not Acceptance.objects.exists()


def test_newcomer_from_another_site_accepts_the_terms_too(client, settings, monkeypatch):
    with facebook_with_keys(settings, monkeypatch):
        dance(client)
        assert 'name="accepts"' in client.get(SOCIAL_SIGN_UP).content.decode()
        assert choose(client).status_code == 422
        assert not User.objects.exists()
        assert choose(client, accepts=version_in_force()).status_code == 302
    assert Acceptance.objects.get().user == User.objects.get()


def test_acceptance_is_written_once():
    user = UserFactory(member=True)
    for _ in range(2):
        accept(user.pk, current_version(), timezone.now())
    assert Acceptance.objects.filter(user=user).count() == 1


def test_a_version_other_than_the_one_in_force_is_refused():
    user = UserFactory(member=True)
    with pytest.raises(Refused):
        accept(user.pk, date(2020, 1, 1), timezone.now())
    assert not Acceptance.objects.exists()
