"""The README's Python runs as it stands, block by block, in a process of its own."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


@pytest.mark.parametrize("block", BLOCKS, ids=[f"block{i}" for i in range(len(BLOCKS))])
def test_python_of_the_readme_runs(block: str) -> None:
    if "sb3_contrib" in block:
        pytest.importorskip("sb3_contrib")
    done = subprocess.run([sys.executable, "-c", block], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr


def test_the_readme_has_its_two_commands() -> None:
    for marker in ("main job", "tests"):
        assert re.search(rf"<!-- {marker} -->\n```bash\n[^\n]+\n```", README)
