"""Fair play: what the records say about members who may break the rules, in cases for staff.

The evidence is never a verdict: only staff, who read it and decide, act against a member.
"""
