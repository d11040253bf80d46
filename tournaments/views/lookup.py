"""Find the tournament of an address."""

from django.http import Http404

from tournaments import states
from tournaments.models import Tournament


def public_tournament(public_id: str) -> Tournament:
    """Return the tournament; raise Http404 if there is none, or only a proposal of it."""
    found = Tournament.objects.filter(public_id=public_id).exclude(state__in=states.HIDDEN).first()
    if found is None:
        raise Http404
    return found
