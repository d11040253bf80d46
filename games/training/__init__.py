"""Training matches against a bot: setting one up, and lessons to try the controls."""
