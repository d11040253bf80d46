"""Pages, parts of pages and files of text are sent compressed; pictures are not."""

import gzip

import pytest
from django.http import HttpResponse, StreamingHttpResponse
from django.test import RequestFactory
from django.urls import reverse

from config.http.compression import Compression

GZIP = {"Accept-Encoding": "gzip, deflate, br"}


@pytest.mark.django_db
@pytest.mark.portable
@pytest.mark.parametrize("name", ["home", "lobby:lobby", "lobby:list", "manifest"])
def test_text_is_compressed_for_browsers_that_accept_gzip(client, name):
    plain, sent = client.get(reverse(name)), client.get(reverse(name), headers=GZIP)
    assert sent.status_code == 200
    assert sent["Content-Encoding"] == "gzip"
    assert int(sent["Content-Length"]) == len(sent.content)
    assert "Accept-Encoding" in sent["Vary"]
    assert "Accept-Encoding" in plain["Vary"]  # so that a proxy keeps the two forms apart
    assert "Content-Encoding" not in plain
    assert len(gzip.decompress(sent.content)) == pytest.approx(len(plain.content), abs=500)


def _sent(response):
    request = RequestFactory().get("/", headers=GZIP)
    return Compression(lambda _: response)(request)


@pytest.mark.parametrize(
    "response",
    [
        HttpResponse(b"x" * 1000, content_type="image/png"),
        HttpResponse(b"x" * 1000, content_type="image/webp"),
        StreamingHttpResponse([b"x" * 1000], content_type="text/plain"),
        HttpResponse(b"x" * 100, content_type="text/plain"),
    ],
    ids=["png", "webp", "stream", "short"],
)
def test_pictures_streams_and_short_texts_are_sent_as_they_are(response):
    assert "Content-Encoding" not in _sent(response)


def test_compressed_size_of_the_same_text_varies():
    """Otherwise the size would tell whether a guess repeats a secret of the page."""
    sizes = {len(_sent(HttpResponse("secret " * 100)).content) for _ in range(60)}
    assert len(sizes) > 5
