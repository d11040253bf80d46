"""The WSGI application: pages only. Live tables need config.asgi."""

import os

from django.core.exceptions import ImproperlyConfigured
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
application = get_wsgi_application()

from django.conf import settings  # noqa: E402

from config import demonstration  # noqa: E402

if settings.DEMO:
    raise ImproperlyConfigured(demonstration.WHY)
