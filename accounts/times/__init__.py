"""Time zones of readers: which one is theirs, and moments written in it.

Everything that a person reads shows moments by the tag `moment` (accounts/templatetags/times.py);
frames and exports have UTC in ISO 8601.
"""
