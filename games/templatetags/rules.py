"""Board diagrams for the rules pages: `{% diagram "enter" %}caption{% enddiagram %}`."""

from typing import Any

from django import template
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from games.board_svg import places_text
from games.engine.board.moves import play_from_text
from games.engine.board.position import Counts, Position
from games.engine.board.variants import opposite
from games.engine.rules import Variant
from games.rulebook.diagrams import EXAMPLES, Example
from games.rulebook.tries import may_be_tried

register = template.Library()


@register.simple_block_tag(takes_context=True)
def diagram(context: template.Context, content: SafeString, name: str) -> SafeString:
    """Render a figure: the board as data for the script, the same in words, and the caption.

    `name` is a key of the page's variant in `EXAMPLES`. Raises `KeyError` for any other name; tests
    find it, since they render every page. A diagram that the visitor tries is a board to play on.
    """
    variant = Variant(context["variant"])
    example = EXAMPLES[variant][name]
    position = Position.from_text(example.position, variant)
    trying, terms = context.get("trying"), context.get("terms")
    if trying is not None and terms is not None and trying.name == name:
        tried = {"trying": trying, "caption": content, "csrf_token": context["csrf_token"]}
        tried |= {"back": terms.address(context["path"]), "again": _try_url(context, name)}
        # No fragment: with one, the browser would not focus the verdict. `answered` makes this
        # address differ from `again`, whose link would otherwise only scroll the page shown.
        tried["send_to"] = terms.address(context["path"], **{"try": name, "answered": "1"})
        return render_to_string("rules/try.html", tried)
    return render_to_string(
        "rules/diagram.html",
        {
            "name": name,
            "board": board_data(variant, example, position),
            "caption": content,
            "white": places_text(position.white),
            "black": places_text(_in_white_numbers(variant, position.black)),
            "roll": f"{example.dice[0]}-{example.dice[1]}" if example.dice else "",
            "try_url": _try_url(context, name) if terms and may_be_tried(example) else "",
        },
    )


def _try_url(context: template.Context, name: str) -> str:
    """Return the address at which the diagram can be tried under the same rules."""
    address: str = context["terms"].address(context["path"], **{"try": name})
    return f"{address}#try"


def board_data(variant: Variant, example: Example, position: Position) -> dict[str, Any]:
    """Return the data for rules-diagram.js.

    `white` and `black` are in each side's own numbering; `good` and `bad` are arrows in White's.
    """
    return {
        "variant": variant.value,
        "white": list(position.white),
        "black": list(position.black),
        "dice": list(example.dice) if example.dice else None,
        "good": _arrows(example.good),
        "bad": _arrows(example.bad),
        "routes": example.has_routes,
    }


def _arrows(play: str) -> list[list[int]]:
    return [[step.source, step.target] for step in play_from_text(play)] if play else []


def _in_white_numbers(variant: Variant, counts: Counts) -> Counts:
    seen = [0] * len(counts)
    for place, count in enumerate(counts):
        seen[opposite(variant, place)] = count
    return tuple(seen)
