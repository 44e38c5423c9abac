"""Find media and asset references in a line of any format, and splice them, without a parser of that format."""
