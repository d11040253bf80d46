"""Check that a person sees and can press a part of a page, on phones and desks."""

import pytest
from playwright.sync_api import Locator, expect

from tests.journeys.visitors import DESK, PHONE, SIDEWAYS

# Each size in one language.
LOOKS = [(PHONE, "ru"), (SIDEWAYS, "tr"), (DESK, "en")]
# Run a test in each look, given as its arguments `size` and `language`.
each_look = pytest.mark.parametrize(("size", "language"), LOOKS, ids=["phone", "sideways", "desk"])
LEAST_TOUCH_PX = 44  # assert_pressable tolerates half a pixel less

# Return the element over the middle of the part as text, empty if nothing covers it.
COVER = """(element) => {
  element.scrollIntoView({ block: 'center' });
  const { x, y, width, height } = element.getBoundingClientRect();
  const top = document.elementFromPoint(x + width / 2, y + height / 2);
  if (element.contains(top)) return '';
  return top?.outerHTML.slice(0, 200) ?? `nothing, outside the window: ${[x, y, width, height]}`;
}"""


def assert_in_sight(part: Locator) -> None:
    """Check that the window, scrolled if needed, shows the whole part with its middle uncovered."""
    part.page.wait_for_load_state()  # without its style sheets a page has another layout
    expect(part).to_be_visible()
    cover = part.evaluate(COVER)
    assert not cover, f"{part} is covered by {cover}"
    expect(part).to_be_in_viewport(ratio=0.99)


def assert_pressable(button: Locator) -> None:
    """Check that the button is in sight, and large enough for a finger."""
    assert_in_sight(button)
    box = button.bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= LEAST_TOUCH_PX - 0.5, (button, box)
