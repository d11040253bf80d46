"""The ASGI application: pages through Django, `/ws/` through the socket guard and Channels."""

import os
from typing import Any

from channels.routing import ProtocolTypeRouter
from django.conf import settings
from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
# Fills the app registry; imports of models must come after it.
pages = get_asgi_application()

from config.demonstration import OwnMachineOnly  # noqa: E402
from config.http.head import WithoutBody  # noqa: E402
from config.http.page_turns import PageTurns  # noqa: E402
from config.http.probes import ProbesByAddress  # noqa: E402
from config.routing import sockets  # noqa: E402

http = ProbesByAddress(PageTurns(WithoutBody(pages)))
application: Any = ProtocolTypeRouter({"http": http, "websocket": sockets})
if settings.DEMO:
    application = OwnMachineOnly(application)
