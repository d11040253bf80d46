"""Messages are encrypted as in the example of RFC 8291, and requests signed as in RFC 8292."""

from datetime import UTC, datetime, timedelta

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from django.core.management import call_command

from accounts.notices import vapid
from accounts.notices.encryption import encrypt
from tests.accounts.notices.push_service import KEY, PUBLIC_KEY, raw_of, text_of

NOW = datetime(2026, 1, 1, tzinfo=UTC)
# RFC 8291, appendix A.
P256DH = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
AUTH = "BTBZMqHH6r4Tts7J_aSIgg"
SALT = "DGv6ra1nlYgDCS1FRnbzlw"
BODY = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27ml"
    "mlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPT"
    "pK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
)


def test_the_example_of_rfc_8291_is_reproduced():
    own = ec.derive_private_key(int.from_bytes(raw_of(KEY), "big"), ec.SECP256R1())
    text = b"When I grow up, I want to be a watermelon"
    assert text_of(encrypt(text, raw_of(P256DH), raw_of(AUTH), own, raw_of(SALT))) == BODY


def test_each_message_has_a_new_key_and_salt():
    bodies = [encrypt(b"text", raw_of(P256DH), raw_of(AUTH)) for _ in range(5)]
    assert len({body[:16] for body in bodies}) == 5  # salts
    assert len({body[21:86] for body in bodies}) == 5  # public keys of the sender


def test_a_key_that_is_not_a_point_is_refused():
    with pytest.raises(ValueError):
        encrypt(b"text", b"\x04" + 64 * b"\x01", raw_of(AUTH))


def test_the_signature_names_the_service_and_can_be_checked_with_the_public_key(settings):
    settings.VAPID_PRIVATE_KEY, settings.VAPID_CONTACT = KEY, "mailto:owner@example.org"
    header = vapid.authorization("https://push.example.net:443/abc?d=1", datetime.now(UTC))
    scheme, _, rest = header.partition(" ")
    token, key = (part.partition("=")[2] for part in rest.split(", "))
    assert (scheme, key) == ("vapid", PUBLIC_KEY)
    point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), raw_of(key))
    claims = jwt.decode(token, point, ["ES256"], audience="https://push.example.net:443")
    assert claims["sub"] == "mailto:owner@example.org"
    end = datetime.fromtimestamp(claims["exp"], UTC)
    assert timedelta() < end - datetime.now(UTC) < timedelta(days=1)


def test_makepushkey_prints_a_matching_pair_of_keys(settings, capsys):
    call_command("makepushkey")
    private, public = (line.split()[-1] for line in capsys.readouterr().out.splitlines())
    key = private.partition("=")[2]
    assert len(raw_of(key)) == 32
    settings.VAPID_PRIVATE_KEY = key
    assert vapid.public_key() == public
