"""What one process keeps of the tables it serves: connections, spectators, chat."""
