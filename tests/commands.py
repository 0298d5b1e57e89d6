"""Commands as users type them, in a process of their own."""

import subprocess
import sys


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "mahjong_env.tools.cli", *words], capture_output=True, text=True, timeout=300
    )
