"""What makes a session large without harm: bytes that no request needs. Found always, taken out only when it is asked for."""
