"""The user's manual: its chapters, the search in them, the chapter for each page."""
