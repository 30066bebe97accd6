"""Runs the Python code blocks of a document: `run_examples.py NUMBER DOCUMENT`.

NUMBER is the number of code blocks that the document must have.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

CODE = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def main() -> int:
    count, document = int(sys.argv[1]), Path(sys.argv[2])
    pieces = CODE.findall(document.read_text())
    if len(pieces) != count:
        print(f"{document}: there are {len(pieces)} code blocks, not {count}")
        return 1
    failed = 0
    for number, piece in enumerate(pieces, 1):
        began = time.monotonic()
        # In a folder outside the sources, Python imports the installed package.
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder) / "example.py"
            program.write_text(piece)
            code = subprocess.run([sys.executable, program]).returncode
        seconds = time.monotonic() - began
        print(f"{document}, code {number}: exit code {code} after {seconds:.1f} s", flush=True)
        failed += code != 0
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main())
