"""How each command tells what it did: as text for people, as JSON Lines and the like for programs."""
