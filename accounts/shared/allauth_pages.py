"""Mixins for allauth's pages."""

from typing import Any

from django.http import HttpResponse

UNPROCESSABLE = 422
GONE = 410


class Page:
    """Remove allauth's `site` from the context: it would hide ours (config/context.py)."""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context_data(**kwargs)  # type: ignore[misc]
        context.pop("site", None)
        return context


class FormPage(Page):
    """Answer 422 to a form with errors, and let the browser go to the first wrong field."""

    def form_invalid(self, form: Any) -> HttpResponse:
        wrong = next((field for field in form if field.errors and not field.is_hidden), None)
        if wrong is not None:
            wrong.field.widget.attrs["autofocus"] = True
        response: HttpResponse = super().form_invalid(form)  # type: ignore[misc]
        response.status_code = UNPROCESSABLE
        return response
