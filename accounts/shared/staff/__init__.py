"""What the pages of staff share: actions, pages that only show, lines of the log."""
