import pytest

from accounts.notices import endpoints
from tests.accounts.notices.push_service import KEY, PushService
from tests.support.patience import PATIENCE_S


@pytest.fixture
def service(tmp_path, settings, monkeypatch):
    """Run a push service and let the site send to it, however slow the machine is."""
    for limit in ("TIMEOUT_S", "LONGEST_S"):
        monkeypatch.setattr(endpoints, limit, PATIENCE_S)
    service = PushService(tmp_path)
    settings.VAPID_PRIVATE_KEY = KEY
    settings.VAPID_CONTACT = "mailto:owner@example.org"
    settings.PUSH_TEST_SERVICES = {service.place: service.authority}
    yield service
    service.stop()
