"""A demonstration, whose staff password is public, answers on its own machine only."""

import pytest
from asgiref.testing import ApplicationCommunicator
from django.contrib.auth.hashers import make_password
from django.core.management import CommandError, call_command
from django.utils import timezone

from accounts.models import User
from config import demonstration
from config.demo import people
from config.demo.people import MEMBER_LOGINS, PASSWORD, STAFF_LOGIN, logins_of_demonstration
from config.management.commands import serve
from config.management.commands.serve import Command
from tests.accounts.factories import RegisteredFactory, UserFactory, member
from tests.config.server import manage
from tests.config.test_settings import PRODUCTION, python
from tests.support.patience import PATIENCE_S

ELSEWHERE = ("192.0.2.7", 50_000)
HERE = ("127.0.0.1", 50_000)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "", "0", "192.0.2.7", "::ffff:192.0.2.7"])
def test_serving_a_demonstration_to_other_machines_is_refused_with_the_reason(host):
    answer = manage("serve", "--host", host, "--port", "0", env={"DEMO": "1"})
    assert answer.returncode == 1
    assert "DEMO is on" in answer.stderr
    assert "password" in answer.stderr
    assert "Traceback" not in answer.stderr


@pytest.mark.parametrize("host", ["127.0.0.1", "127.1.2.3", "::1", "localhost", "::ffff:127.0.0.1"])
def test_addresses_of_this_machine_are_loopback(host):
    assert demonstration.is_loopback(host)


@pytest.mark.parametrize("host", ["127.0.0.1.example.invalid", "a" * 300, "no name\n"])
def test_name_that_cannot_be_resolved_is_not_loopback(host):
    assert not demonstration.is_loopback(host)


@pytest.mark.parametrize("names", ["*", "play.example.org", "localhost,.example.org", "10.0.0.5"])
def test_public_host_name_of_a_demonstration_is_refused(names):
    env = {"SECRET_KEY": "k" * 50, "DEMO": "1", "ALLOWED_HOSTS": names}
    answer = python("manage.py", "check", env=env)
    assert answer.returncode != 0
    assert "ALLOWED_HOSTS names" in answer.stderr
    assert "DEMO is on" in answer.stderr


def test_local_host_names_of_a_demonstration_are_accepted():
    names = "localhost,127.0.0.1,[::1],tavla.localhost"
    env = {"SECRET_KEY": "k" * 50, "DEMO": "1", "ALLOWED_HOSTS": names}
    assert python("manage.py", "check", env=env).returncode == 0


def scope_of(kind, client):
    headers = [(b"host", b"localhost")]
    scope = {"type": kind, "path": "/healthz", "headers": headers, "client": client}
    return scope | ({"method": "GET", "query_string": b""} if kind == "http" else {})


async def answer_to(kind, client):
    """Return the first event that the application sends to a connection from this address."""
    from config.asgi import application

    asked = ApplicationCommunicator(application, scope_of(kind, client))
    await asked.send_input({"type": "http.request" if kind == "http" else "websocket.connect"})
    first = await asked.receive_output(PATIENCE_S)  # the first page loads all views
    if kind == "http":
        await asked.receive_output(PATIENCE_S)
    await asked.wait(PATIENCE_S)
    return first


@pytest.mark.asyncio
async def test_page_of_a_demonstration_is_refused_to_another_machine_by_any_server():
    assert (await answer_to("http", ELSEWHERE))["status"] == 403
    assert (await answer_to("http", ("2001:db8::1", 50_000)))["status"] == 403
    assert (await answer_to("http", HERE))["status"] == 200
    assert (await answer_to("http", ("::ffff:127.0.0.1", 50_000)))["status"] == 200


@pytest.mark.asyncio
async def test_socket_of_a_demonstration_is_refused_to_another_machine():
    assert await answer_to("websocket", ELSEWHERE) == {"type": "websocket.close"}


def test_public_site_is_not_guarded_as_a_demonstration():
    code = "from config.asgi import application; print(type(application).__name__)"
    assert python("-c", code, env=PRODUCTION).stdout.strip() == "ProtocolTypeRouter"


def test_demonstration_is_not_served_by_a_server_that_hides_the_peer():
    env = {"SECRET_KEY": "k" * 50, "DEMO": "1"}
    answer = python("-c", "import config.wsgi", env=env)
    assert answer.returncode != 0
    assert "DEMO is on" in answer.stderr


@pytest.mark.django_db
def test_public_site_refuses_a_database_with_the_demonstrations_password(settings):
    settings.DEMO = False
    staff = UserFactory(username=STAFF_LOGIN, staff=True)
    staff.set_password(PASSWORD)
    staff.save()
    with pytest.raises(CommandError, match=STAFF_LOGIN):
        call_command(Command(), port=0)
    staff.set_password("Another0password")
    staff.save()
    assert logins_of_demonstration() == []
    people.make(timezone.now())
    assert set(logins_of_demonstration()) == set(MEMBER_LOGINS)


@pytest.mark.django_db
def test_stranger_who_registers_as_a_person_of_the_demonstration_does_not_stop_the_site():
    RegisteredFactory(username=MEMBER_LOGINS[0])
    member(MEMBER_LOGINS[1])
    User.objects.update(password=make_password(PASSWORD), email="")
    serve.refuse_public_passwords()
