// The looks of the table on whatever shows a board or its colors: elements with data-looks.
// looks.css has the colors.

export function showLooks(settings, root = document) {
  for (const element of root.querySelectorAll("[data-looks]")) {
    element.dataset.board = settings.get("board");
    element.dataset.checkers = settings.get("checkers");
  }
}
