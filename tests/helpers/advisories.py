"""The lock files, and the advisories that the database of open-source vulnerabilities (https://osv.dev) has about them, as pip-audit asks."""

import json
import re
import urllib.request
from pathlib import Path

ADDRESS = "https://api.osv.dev/v1/querybatch"
PATIENCE = 20  # seconds


def locked(path: Path) -> list[tuple[str, str]]:
    """Name and version of each requirement of a lock file; of those that depend on the platform, all versions."""
    return re.findall(r"^([\w.-]+)==([^\s;\\]+)", path.read_text(encoding="utf-8"), re.M)


def advisories(packages: list[tuple[str, str]], address: str = ADDRESS) -> dict[str, list[str]]:
    """Ids of the advisories about these versions, by `name version`. Raises OSError if the database cannot be reached."""
    asked = [{"package": {"name": name, "ecosystem": "PyPI"}, "version": version} for name, version in packages]
    request = urllib.request.Request(
        address, json.dumps({"queries": asked}).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        results = json.load(answer)["results"]
    assert len(results) == len(packages)
    found = {
        f"{name} {version}": [v["id"] for v in result.get("vulns", [])]
        for (name, version), result in zip(packages, results, strict=True)
    }
    return {name: ids for name, ids in found.items() if ids}
