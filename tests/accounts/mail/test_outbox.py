"""The outbox shows the staff of a demonstration its stored emails; a real site has no outbox."""

import pytest
from django.utils import timezone

from accounts.models import OutgoingEmail
from tests.accounts.factories import member, sign_in, staff

pytestmark = pytest.mark.django_db
OUTBOX = "/account/outbox/"


@pytest.fixture
def email():
    now = timezone.now()
    text = "Follow the link:\n\nhttp://testserver/account/x/?a=1&b=2\n<b>bold</b>"
    return OutgoingEmail.objects.create(
        to="annika@example.org", subject="Hello", text=text, created_at=now, due_at=now
    )


def test_staff_reads_the_emails_with_links_to_follow(client, email):
    sign_in(client, staff("person1"))
    page = client.get(OUTBOX).content.decode()
    assert "annika@example.org" in page
    assert 'href="http://testserver/account/x/?a=1&amp;b=2"' in page
    assert "<b>bold</b>" not in page


def test_newest_email_comes_first(client, email):
    OutgoingEmail.objects.create(to="b@example.org", subject="Later", created_at=timezone.now())
    sign_in(client, staff("person1"))
    page = client.get(OUTBOX).content.decode()
    assert page.index("Later") < page.index("Hello")


def test_empty_outbox_shows_a_hint(client):
    sign_in(client, staff("person1"))
    assert "No emails yet" in client.get(OUTBOX).content.decode()


def test_visitor_is_redirected_to_sign_in(client, email):
    assert client.get(OUTBOX)["Location"].startswith("/account/login/")


def test_member_is_refused(client, email):
    sign_in(client, member("annika"))
    response = client.get(OUTBOX)
    assert response.status_code == 403
    assert "/account/x/" not in response.content.decode()


def test_real_site_answers_404_even_to_staff(client, email, settings):
    settings.DEMO = False
    sign_in(client, staff("person1"))
    assert client.get(OUTBOX).status_code == 404


def test_post_is_refused(client, email):
    sign_in(client, staff("person1"))
    assert client.post(OUTBOX).status_code == 405
