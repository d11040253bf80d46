"""Encrypt a push message for one browser (RFC 8291 over RFC 8188, one record)."""

import os
import struct

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

CURVE = ec.SECP256R1()
RECORD_SIZE = 4096  # bytes; also the most that push services must accept
SALT_BYTES, AUTH_BYTES = 16, 16
# Marks the end of the last record (RFC 8188, section 2).
LAST = b"\x02"


def encrypt(
    message: bytes,
    p256dh: bytes,
    auth: bytes,
    own_key: ec.EllipticCurvePrivateKey | None = None,
    salt: bytes | None = None,
) -> bytes:
    """Return the body of a request with `Content-Encoding: aes128gcm`.

    `own_key` and `salt` are random for every message; only a test gives them. Raises ValueError
    if `p256dh` is not a point of the curve.
    """
    browser = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, p256dh)
    own_key = own_key or ec.generate_private_key(CURVE)
    salt = salt or os.urandom(SALT_BYTES)
    own_point = own_key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    shared = own_key.exchange(ec.ECDH(), browser)
    secret = _derive(shared, auth, b"WebPush: info\0" + p256dh + own_point, 32)
    key = _derive(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derive(secret, salt, b"Content-Encoding: nonce\0", 12)
    header = salt + struct.pack("!LB", RECORD_SIZE, len(own_point)) + own_point
    return header + AESGCM(key).encrypt(nonce, message + LAST, None)


def _derive(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(SHA256(), length, salt, info).derive(secret)
