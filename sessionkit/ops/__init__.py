"""The verbs: one file per command. They plan, then apply; they never print."""
