"""The origin with which links in emails begin."""

from django.conf import settings


def site_url() -> str:
    """Return SITE_URL; where it is unset, the address at which this machine serves the site."""
    return str(settings.SITE_URL or settings.LOCAL_URL)
