"""One run of `heddle check --json` for the tables of this folder."""

import json
import subprocess


def check(command, seconds):
    """(verdict, reason, statistics): `unknown` if it does not end within its time limit, `error` with its message if it gives no result."""
    try:
        done = subprocess.run(command, capture_output=True, timeout=seconds + 30, check=False)
    except subprocess.TimeoutExpired:
        return "unknown", "killed", {}
    if done.returncode not in (0, 1, 3):
        return "error", done.stderr.decode(errors="replace").strip(), {}
    result = json.loads(done.stdout)
    return result["verdict"], result["reason"], result["statistics"]
