"""One file per command: its options, and how they become a plan. What a command needs is imported when it runs."""
