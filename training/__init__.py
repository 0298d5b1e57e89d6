"""Training scripts, one a method; each is run as `python -m training.NAME`."""
