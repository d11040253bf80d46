"""Turn an upload into an avatar.

Nothing of the upload is kept but its pixels: it is decoded, fitted to a square and encoded again.
Its size in bytes and in pixels is checked before a decoder touches it.
"""

import io
import logging
import struct
import threading
import warnings
from enum import StrEnum
from typing import IO

from PIL import Image, ImageOps, UnidentifiedImageError

logger = logging.getLogger(__name__)

MAX_BYTES = 2 * 1024 * 1024
# Pixels of the longer side of an upload, and of each side of an avatar.
MAX_SIDE = 4096
SIDE = 256
QUALITY = 84  # of the WebP encoder, up to 100
# Most scans of a JPEG; a progressive one has about ten. A scan of 40 bytes can cost a pass over all
# pixels.
MAX_SCANS = 100
START_OF_SCAN = b"\xff\xda"

# Pillow's own check is a second guard. It holds for the whole process, which decodes nothing but
# avatars.
Image.MAX_IMAGE_PIXELS = MAX_SIDE * MAX_SIDE
warnings.filterwarnings("error", category=Image.DecompressionBombWarning)
# One picture at a time: the largest animation takes about 400 MB.
_DECODER_LOCK = threading.Lock()
# Most uploads that wait for the lock in this process: each occupies a thread while the pictures
# before it are decoded, up to a second for each.
MOST_WAITING = 4
ADMITTED = threading.BoundedSemaphore(1 + MOST_WAITING)


class Fault(StrEnum):
    TOO_LARGE = "too_large"
    TOO_MANY_PIXELS = "too_many_pixels"
    UNKNOWN_FORMAT = "unknown_format"
    DAMAGED = "damaged"
    BUSY = "busy"


class BadPicture(Exception):
    """The file is refused; `fault` says why."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.value)
        self.fault = fault


def to_avatar(file: IO[bytes]) -> bytes:
    """Return a WebP of 256 x 256 without metadata. Raise BadPicture if the file is refused."""
    data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise BadPicture(Fault.TOO_LARGE)
    if not ADMITTED.acquire(blocking=False):
        raise BadPicture(Fault.BUSY)
    try:
        with _DECODER_LOCK:
            return _decode(data)
    finally:
        ADMITTED.release()


def _decode(data: bytes) -> bytes:
    # Opening is inside the lock too: it allocates all pixels of a WebP.
    image = _open(data)
    try:
        return _encode(_fit(image))
    except Exception as error:  # decoders raise all kinds of errors on a broken file
        logger.info("avatar not decoded: %r", error)
        raise BadPicture(Fault.DAMAGED) from error


def _open(data: bytes) -> Image.Image:
    """Open by content, not by name; refuse a file with too many pixels before they are decoded."""
    # Checked before opening, since that allocates all pixels of a WebP.
    _check_size(_webp_size(data))
    try:
        image = Image.open(io.BytesIO(data), formats=("JPEG", "PNG", "WEBP"))
    except UnidentifiedImageError as error:
        raise BadPicture(Fault.UNKNOWN_FORMAT) from error
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise BadPicture(Fault.TOO_MANY_PIXELS) from error
    except Exception as error:
        logger.info("avatar not opened: %r", error)
        raise BadPicture(Fault.DAMAGED) from error
    _check_size(image.size)
    if image.format in ("JPEG", "MPO") and data.count(START_OF_SCAN) > MAX_SCANS:
        raise BadPicture(Fault.DAMAGED)
    return image


def _check_size(size: tuple[int, int]) -> None:
    if max(size) > MAX_SIDE:
        raise BadPicture(Fault.TOO_MANY_PIXELS)


def _webp_size(data: bytes) -> tuple[int, int]:
    """Return width and height from a WebP header; (0, 0) for any other file."""
    if data[:4] != b"RIFF" or data[8:12] != b"WEBP" or len(data) < 30:
        return 0, 0
    kind = data[12:16]
    if kind == b"VP8X":
        width = int.from_bytes(data[24:27], "little") + 1
        return width, int.from_bytes(data[27:30], "little") + 1
    if kind == b"VP8L":
        bits = int.from_bytes(data[21:25], "little")
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    width, height = struct.unpack("<HH", data[26:30])
    return width & 0x3FFF, height & 0x3FFF


def _fit(image: Image.Image) -> Image.Image:
    """Return the center square, upright, in 8-bit colors; the first frame of an animation."""
    image.draft("RGB", (2 * SIDE, 2 * SIDE))  # decode a JPEG at a reduced scale
    if image.mode.startswith("I"):  # 16 bits of gray
        image = image.convert("I").point(lambda value: value / 256).convert("L")
    elif image.mode not in ("RGB", "RGBA", "L"):
        image = image.convert("RGBA" if image.has_transparency_data else "RGB")
    square = ImageOps.exif_transpose(ImageOps.fit(image, (SIDE, SIDE), Image.Resampling.LANCZOS))
    return square.convert("RGBA" if square.has_transparency_data else "RGB")


def _encode(image: Image.Image) -> bytes:
    """Encode a copy that has pixels and no metadata."""
    clean = Image.new(image.mode, image.size)
    clean.paste(image)
    out = io.BytesIO()
    clean.save(out, "WEBP", quality=QUALITY, method=4)
    return out.getvalue()
