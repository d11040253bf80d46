import pytest

from tests.accounts.notices.push_service import KEY, PushService


@pytest.fixture
def service(tmp_path, settings):
    """Run a push service and let the site send to it."""
    service = PushService(tmp_path)
    settings.VAPID_PRIVATE_KEY = KEY
    settings.VAPID_CONTACT = "mailto:owner@example.org"
    settings.PUSH_TEST_SERVICES = {service.place: service.authority}
    yield service
    service.stop()
