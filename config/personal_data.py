"""What the site knows about a member, for himself."""

from django.http import Http404, HttpRequest, HttpResponse


def export_my_data(request: HttpRequest) -> HttpResponse:
    raise Http404
