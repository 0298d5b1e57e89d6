"""Agents: what a player is given and answers (`View`, `Agent`), agents by name, and saved policies."""
