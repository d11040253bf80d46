"""Between the server and the pages: sizes of bodies, HEAD, turns of one network."""
