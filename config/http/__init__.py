"""Code between the server and the pages: limits, HEAD, compression, cache; pages for machines."""
