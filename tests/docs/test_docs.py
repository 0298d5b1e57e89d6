"""The Python of the pages in docs/ runs as it stands, block by block, in a process of its own."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

DOCS = Path(__file__).parents[2] / "docs"
SESSIONS = {"hands.md"}  # pages of interpreter sessions, which run as doctests
NEEDS = ("torch", "sb3_contrib")


def blocks() -> list[Any]:
    """Every block of Python, named by its page."""
    found = []
    for page in sorted(DOCS.glob("*.md")):
        texts = re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
        found += [pytest.param(text, id=f"{page.stem}{k}") for k, text in enumerate(texts) if page.name not in SESSIONS]
    return found


@pytest.mark.parametrize("block", blocks())
def test_python_of_a_page_runs(block: str) -> None:
    for module in NEEDS:
        if module in block:
            pytest.importorskip(module)
    done = subprocess.run([sys.executable, "-c", block], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
