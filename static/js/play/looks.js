// Apply the chosen looks to every element with data-looks. css/board/looks.css has the colors.

export function showLooks(settings, root = document) {
  for (const element of root.querySelectorAll("[data-looks]")) {
    element.dataset.board = settings.get("board");
    element.dataset.checkers = settings.get("checkers");
  }
}
