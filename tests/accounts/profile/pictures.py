"""Files for the avatar tests: valid pictures and hostile ones."""

import io
import struct
import zipfile
import zlib

from PIL import Image, PngImagePlugin

RED, BLUE = (200, 30, 30), (30, 30, 200)


def encoded(image, kind="PNG", **options):
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


def plain(kind="PNG", size=(320, 200), color=RED, **options):
    return encoded(Image.new("RGB", size, color), kind, **options)


def noise(size=(900, 900)):
    """Return a picture that no format compresses well."""
    return encoded(Image.effect_noise(size, 90).convert("RGB"))


def _chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png_of(width, height, data=b""):
    """Return a PNG whose header claims this size; `data` need not fit it."""
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = [_chunk(b"IHDR", header), _chunk(b"IDAT", data), _chunk(b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def bomb():
    """Return a PNG of 20 KB whose header claims 4000 x 64000 pixels, 768 MB decoded."""
    rows = zlib.compress(b"\0" * (4000 * 3 + 1) * 1500, 9)
    return png_of(4000, 64000, rows)


def text_bomb():
    """Return a small picture with a text chunk that unpacks to 100 MB."""
    text = zlib.compress(b"A" * 100_000_000, 9)
    png = plain(size=(8, 8))
    # The signature and the chunk IHDR take 33 bytes.
    return png[:33] + _chunk(b"zTXt", b"Comment\0\0" + text) + png[33:]


def webp_of(width, height):
    """Return only the header of an animated WebP of this size."""
    canvas = (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    body = b"WEBPVP8X" + struct.pack("<I", 10) + bytes([2, 0, 0, 0]) + canvas
    body += b"ANIM" + struct.pack("<I", 6) + bytes(6)
    return b"RIFF" + struct.pack("<I", len(body)) + body


def scan_bomb(scans=101, side=4096):
    """Return a gray JPEG with many 40-byte scans that change nothing."""
    blocks = (side // 8) ** 2
    # A run of 16,384 empty blocks takes 15 bits: a code of 1 bit and a length of 14 bits.
    empty_scan = _segment(0xDA, bytes([1, 1, 0, 1, 63, 0])) + bytes(blocks // 16384 * 15 // 8)
    return b"".join(
        [
            b"\xff\xd8",
            _segment(0xDB, bytes([0] + [1] * 64)),
            _segment(0xC2, struct.pack(">BHHB", 8, side, side, 1) + bytes([1, 0x11, 0])),
            _segment(0xC4, bytes([0x00, 1] + [0] * 16)),
            _segment(0xC4, bytes([0x10, 1] + [0] * 15 + [0xE0])),  # the code of empty blocks
            _segment(0xDA, bytes([1, 1, 0, 0, 0, 0])) + bytes(blocks // 8),
            empty_scan * scans,
            b"\xff\xd9",
        ]
    )


def _segment(marker, data):
    return bytes([0xFF, marker]) + struct.pack(">H", len(data) + 2) + data


def svg():
    return b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'


def gif_and_script():
    """Return bytes that are valid as a GIF and as JavaScript."""
    gif = encoded(Image.new("P", (2, 2)), "GIF")
    return gif[:6] + b"/*" + gif[8:] + b"*/=1;alert(document.cookie)"


def jpeg_and_zip():
    """Return a JPEG followed by a ZIP archive that holds an HTML page."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("index.html", "<script>alert(1)</script>")
    return plain("JPEG") + out.getvalue()


def jpeg_with_script():
    comment = b"<script>alert(1)</script>"
    return plain("JPEG", comment=comment)


def with_exif(orientation=1, size=(320, 200)):
    """Return a picture, red above blue, with orientation and location."""
    image = Image.new("RGB", size, RED)
    image.paste(BLUE, (0, size[1] // 2, size[0], size[1]))
    exif = Image.Exif()
    exif[0x0112] = orientation
    exif[0x010F] = "Secret Camera"  # the tag Make
    exif.get_ifd(0x8825)[1] = "N"  # the location's tag GPSLatitudeRef: north
    return encoded(image, "JPEG", exif=exif, quality=95)


def with_huge_exif():
    """Return a picture with 1.5 MB of metadata."""
    exif = Image.Exif()
    exif[0x010F] = "x" * 1_500_000  # the tag Make
    return plain("PNG", exif=exif)


def with_text():
    info = PngImagePlugin.PngInfo()
    info.add_text("Author", "Secret Person")
    return plain("PNG", pnginfo=info)


def animated(kind="WEBP"):
    frames = [Image.new("RGB", (64, 64), color) for color in (RED, BLUE)]
    return encoded(frames[0], kind, save_all=True, append_images=frames[1:], duration=100)


def transparent():
    """Return a palette picture with one transparent color."""
    image = Image.new("P", (64, 64), 0)
    image.putpalette([*RED, *BLUE])
    image.paste(1, (0, 0, 64, 32))
    return encoded(image, "PNG", transparency=1)


def file():
    """Return a valid upload."""
    return io.BytesIO(plain())
