"""Time zones of readers, and moments written in them.

Everything that a person reads shows moments by the tag `moment` (accounts/templatetags/times.py);
frames and exports have UTC in ISO 8601.
"""
