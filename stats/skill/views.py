"""The page of the viewer's luck and skill."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.shared.current_user import current_user
from games.engine.rules import Variant
from stats.skill.months import skill_of


@never_cache
@require_safe
@login_required
def skill(request: HttpRequest) -> HttpResponse:
    """Show error rate and luck by month, for each variant."""
    viewer = current_user(request)
    found = [skill_of(viewer.pk, variant.value) for variant in Variant]
    context = {
        "person": viewer,
        "skills": [each for each in found if each.months],
        "is_automatic": viewer.preferences.reviews_when_idle,
    }
    return render(request, "stats/skill/skill.html", context)
