"""The numbers of each of the 36 rolls: of a member, of their opponents, of the whole site."""
