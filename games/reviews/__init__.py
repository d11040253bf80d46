"""Reviews of finished matches: queue, worker, playback, report, pages."""
