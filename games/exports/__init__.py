"""Match files for download, and the result of a match as a page and a picture to share."""
