"""The vendors' ways to write content: each is decoded into the neutral model once, for all formats that use it."""
