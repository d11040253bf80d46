"""ASGI wrappers between server and pages (body limits, HEAD, turns), and pages for machines."""
