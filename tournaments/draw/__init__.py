"""The draw's secret, its commitment and the numbers that follow from it. No Django."""

from tournaments.draw.secret import SECRET_BYTES, commitment, new_secret
from tournaments.draw.stream import MOST_OF_ID, DrawStream

__all__ = ["MOST_OF_ID", "SECRET_BYTES", "DrawStream", "commitment", "new_secret"]
