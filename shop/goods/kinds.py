"""The kinds of goods in URLs: `/shop/boards/walnut/`."""


class KindInUrl:
    """Path converter between a kind of `Good.Kind` and its word in a URL."""

    regex = "boards|checkers"

    def to_python(self, value: str) -> str:
        return "board" if value == "boards" else value

    def to_url(self, value: str) -> str:
        return "boards" if value == "board" else value
