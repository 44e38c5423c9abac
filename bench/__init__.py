"""Measures sessionkit against the scripts that it replaces: `python -m bench --help`."""
