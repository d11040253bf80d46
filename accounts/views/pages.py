"""What allauth's pages have in common here."""

from typing import Any

from django.http import HttpResponse

UNPROCESSABLE = 422
GONE = 410


class Page:
    """allauth puts a `site` of its own into the context, where ours (config/context.py) belongs."""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context_data(**kwargs)  # type: ignore[misc]
        context.pop("site", None)
        return context


class FormPage(Page):
    """A form with errors is an answer of its own kind, for scripts and for tests."""

    def form_invalid(self, form: Any) -> HttpResponse:
        response: HttpResponse = super().form_invalid(form)  # type: ignore[misc]
        response.status_code = UNPROCESSABLE
        return response
