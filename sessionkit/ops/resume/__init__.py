"""Go on with a batch that was broken off: a journal says what is done, and is believed only as far as it can be checked."""
