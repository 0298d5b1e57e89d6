"""The environments: thin adapters over the engine."""
