"""Agents, one a file; `mahjong_env.agent.load_agent` finds them by name."""
