"""Results in object storage: jobs in folders of their own that share no file with the process that starts them."""

import os
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from helpers.checkout import copy, snakemake
from helpers.runs import finished, table_bytes, write_study
from poissonmatch.studies.results.results import Results
from poissonmatch.studies.results.store import SnakemakeStore
from poissonmatch.utils.manifests import sha256

pytestmark = [pytest.mark.workflow, pytest.mark.slow]
TEXT = """
studies:
  b: {process: two_color, rule: fussy, dims: 1, sizes: 60, ratios: [0.5, 1.0], replicates: 4, block: 2, observables: [unmatched]}
figures:
  fussy: {kind: fussy, studies: b}
"""
SUBMIT = """#!/bin/sh
folder=$(mktemp -d {jobs}/XXXXXX)
cp "$1" "$folder/job.sh"
cd "$folder"
(sh job.sh > output 2>&1 && echo success > status || echo failed > status) > /dev/null 2>&1 &
echo "$folder"
"""
STATUS = '#!/bin/sh\ncat "$1/status" 2> /dev/null || echo running\n'


@pytest.fixture(scope="module")
def s3():
    """The address of an S3 server on this machine, with the bucket `lab`."""
    boto3 = pytest.importorskip("boto3")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen(
        [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    address = f"http://127.0.0.1:{port}"
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {
            "AWS_ACCESS_KEY_ID": "key",
            "AWS_SECRET_ACCESS_KEY": "secret",
            "SNAKEMAKE_STORAGE_S3_ENDPOINT_URL": address,
        }.items():
            patch.setenv(name, value)
        for _ in range(600):
            with socket.socket() as test:
                if test.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        boto3.client("s3", endpoint_url=address, region_name="us-east-1").create_bucket(Bucket="lab")
        yield "s3://lab"
    server.terminate()
    server.wait()


def head(folder: Path) -> Path:
    """A checkout with a study, and the commands that start a job in a folder of its own."""
    folder.mkdir()
    copy(folder)
    write_study(folder, TEXT, "study")
    (folder / "jobs").mkdir()
    for name, text in {"submit": SUBMIT.format(jobs=folder / "jobs"), "status": STATUS}.items():
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)
    return folder


def stored(folder: Path, provider: str, prefix: str, *words: str) -> str:
    """Run Snakemake with results in a storage; its output."""
    done = snakemake(
        folder, "--default-storage-provider", provider, "--default-storage-prefix", prefix,
        "--executor", "cluster-generic", "--cluster-generic-submit-cmd", str(folder / "submit"),
        "--cluster-generic-status-cmd", str(folder / "status"), "--shared-fs-usage", "none", "--job-deploy-sources",
        "--jobs", "2", "--seconds-between-status-checks", "1", *words,
    )  # fmt: skip
    logs = [path.read_text()[-2000:] for path in folder.glob("jobs/*/output")]
    assert done.returncode == 0, "\n".join([done.stdout, done.stderr, *logs])
    return done.stdout + done.stderr


@pytest.mark.parametrize("provider", ["fs", "s3"])
def test_jobs_share_nothing_with_the_head(tmp_path, request, monkeypatch, provider):
    """The same tables as without Snakemake; another machine recognizes the results, and makes only what is new."""
    if provider == "fs" and not shutil.which("rsync"):
        pytest.skip("needs rsync")
    prefix = str(tmp_path / "storage") if provider == "fs" else request.getfixturevalue("s3")
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    stored(head(tmp_path / "one"), provider, prefix)
    assert len([*tmp_path.glob("one/jobs/*")]) == 4  # simulate, aggregate, draw, report
    assert not (tmp_path / "one/results").exists()

    other = head(tmp_path / "other")
    assert "Nothing to be done" in stored(other, provider, prefix, "--dry-run")
    _, expected = finished(tmp_path, TEXT)
    copies = next((other / ".snakemake/storage").rglob("results/study"))
    tables = table_bytes(expected)
    assert table_bytes(copies) == tables and len(tables) > 2
    write_study(other, TEXT.replace("replicates: 4", "replicates: 6"), "study")
    output = stored(other, provider, prefix)
    assert output.count("rule simulate") == 1
    logs = [path.read_text() for path in copies.glob(".run/simulate/*.log")]
    assert all("replicates 4 to 5" in log and "replicates 0 to 1" not in log for log in logs)


def test_a_bucket_that_does_not_exist(tmp_path, s3):
    """One line, before a job starts, and no bucket is made."""
    done = snakemake(
        head(tmp_path / "one"), "--default-storage-provider", "s3", "--default-storage-prefix", "s3://typo"
    )
    lines = [line for line in done.stderr.splitlines() if "no such bucket" in line]
    assert done.returncode == 1 and len(lines) == 1 and "s3://typo/results/study" in lines[0], done.stderr
    assert "Traceback" not in done.stderr


class Folder:
    """A storage provider for a folder."""

    def __init__(self, folder: Path, copies: Path) -> None:
        self.folder, self.copies = folder, copies

    def list_objects(self, query):
        return Path(query).rglob("*")

    def object(self, query):
        return Stored(Path(query), self.copies / Path(query).relative_to(self.folder))


class Stored:
    def __init__(self, path: Path, copy: Path) -> None:
        self.path, self.copy, self.query = path, copy, str(path)

    def local_path(self):
        return self.copy

    def mtime(self):
        return self.path.stat().st_mtime

    def size(self):
        return self.path.stat().st_size

    def retrieve_object(self):
        shutil.copy(self.path, self.copy)


def test_a_manifest_without_its_data_file_and_the_reverse(tmp_path):
    """Neither counts as finished, and nothing is removed from the storage."""
    _, folder = finished(tmp_path, TEXT, size=1)
    store = SnakemakeStore(Folder(tmp_path, tmp_path / "copies"), str(tmp_path))
    manifests = sorted((folder / "blocks").glob("*.json"))
    (folder / f"blocks/replicates/{manifests[0].stem}.parquet").unlink()
    manifests[1].unlink()
    before = sorted(folder.rglob("*"))
    results = Results(store.local("results/s"), store.mirror("results/s", whole=False))
    assert sorted(results.batches) == [manifest.stem for manifest in manifests[2:]]
    assert [batch.name for batch in results.unusable] == [manifests[0].stem] and results.problems == []
    assert not [*store.local("results/s/blocks").rglob("*.parquet")] and sorted(folder.rglob("*")) == before


def replaced(path: Path, data: bytes) -> None:
    """Write a file whose time remains."""
    times = path.stat()
    path.write_bytes(data)
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


def test_copies_are_made_again_if_they_differ(tmp_path):
    """A copy that was cut off, a changed copy of the same size, and files that were replaced within a second."""
    _, folder = finished(tmp_path, TEXT, size=1)
    store = SnakemakeStore(Folder(tmp_path, tmp_path / "copies"), str(tmp_path))
    copies = store.local("results/s")

    def differing() -> list[str]:
        store.mirror("results/s", whole=True)
        files = [path for path in folder.rglob("*") if path.is_file()]
        return [path.name for path in files if (copies / path.relative_to(folder)).read_bytes() != path.read_bytes()]

    assert differing() == []
    for path in (copies / "estimates.parquet", *copies.glob("blocks/replicates/*"), *copies.glob("blocks/*.json")):
        replaced(path, path.read_bytes()[:-1])
    assert differing() == []
    for path in (copies / "estimates.parquet", *copies.glob("blocks/replicates/*")):
        replaced(path, bytes(path.stat().st_size))
    assert differing() == []
    table, manifest = folder / "estimates.parquet", folder / "manifest.json"
    old = sha256(table.read_bytes()).encode()
    replaced(table, table.read_bytes()[::-1])
    replaced(manifest, manifest.read_bytes().replace(old, sha256(table.read_bytes()).encode()))
    assert differing() == []
