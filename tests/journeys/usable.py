"""Check that a person sees and can press a part of a page, on phones and desks."""

from playwright.sync_api import Locator, expect

from tests.journeys.visitors import DESK, PHONE, SIDEWAYS

# Each size in one language.
LOOKS = [(PHONE, "ru"), (SIDEWAYS, "tr"), (DESK, "en")]
LEAST_TOUCH_PX = 44  # assert_pressable tolerates half a pixel less

IS_ON_TOP = """(element) => {
  element.scrollIntoView({ block: 'center' });
  const { x, y, width, height } = element.getBoundingClientRect();
  return element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}"""


def assert_in_sight(part: Locator) -> None:
    """Check that the window, scrolled if needed, shows the whole part with its middle uncovered."""
    assert part.evaluate(IS_ON_TOP), f"covered: {part}"
    expect(part).to_be_in_viewport(ratio=0.99)


def assert_pressable(button: Locator) -> None:
    """Check that the button is in sight, and large enough for a finger."""
    assert_in_sight(button)
    box = button.bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= LEAST_TOUCH_PX - 0.5, (button, box)
