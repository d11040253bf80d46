"""The draw's secret, its commitment and the numbers that follow from it. No Django."""

from tournaments.draw.secret import SECRET_BYTES, commitment, new_secret
from tournaments.draw.stream import DrawStream

__all__ = ["SECRET_BYTES", "DrawStream", "commitment", "new_secret"]
