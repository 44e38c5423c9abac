"""Nouns without policy: lines, edits, the codec, pictures, assets and where they are kept."""
