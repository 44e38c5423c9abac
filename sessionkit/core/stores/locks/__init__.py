"""Locks of a folder: many processes put assets at the same time, and only one alone takes some away."""
