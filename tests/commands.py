"""Commands as users type them, in a process of their own."""

import os
import subprocess
import sys


def run(*words: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """`mahjong-env` with these words; settings: environment variables set for it."""
    command = [sys.executable, "-m", "mahjong_env.tools.cli", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, env=os.environ | settings)
