"""Fair play: what the records say about members who may break the rules, in cases for staff.

Evidence, never a verdict: nothing here acts against anyone. Staff read it and decide.
"""
