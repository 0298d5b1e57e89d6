"""TODO rules."""
