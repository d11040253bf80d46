"""The coach of training matches: its process, its answers, a connection's session."""
