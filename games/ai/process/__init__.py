"""The child process: the protocol of bots and judges, compiling, the agent."""
