"""What a model would get to summarise: conversations as each agent writes them down, all of them without their media."""
