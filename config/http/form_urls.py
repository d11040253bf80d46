"""Answer a browser that opens the URL of a form, from a restored tab or the address bar."""

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.deprecation import MiddlewareMixin

from config.return_urls import form_page


class FormUrls(MiddlewareMixin):
    """Give an empty 405 answer a page, with a link to the page of the form if it is known."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        is_page_load = "text/html" in request.headers.get("Accept", "")
        if response.status_code != 405 or response.content or not is_page_load:
            return response
        response.content = render_to_string("405.html", {"form_page": form_page(request)}, request)
        return response
