"""Pages of credits: what a member has and what became of it."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse


@login_required
def show_statement(request: HttpRequest) -> HttpResponse:
    return HttpResponse()


@login_required
def export_statement(request: HttpRequest) -> HttpResponse:
    return HttpResponse()
