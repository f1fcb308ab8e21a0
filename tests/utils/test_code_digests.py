"""The digest of a list of folders: every byte of every source file counts, and nothing else."""

import pytest

from poissonmatch.utils import code_digests


@pytest.fixture
def package(tmp_path):
    for name in ("one/a.py", "one/deep/b.py", "two/c.py", "two/style.mplstyle", "two/page.html"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"# {name}\n")
    return tmp_path


@pytest.mark.parametrize("name", ["one/a.py", "one/deep/b.py", "two/c.py", "two/style.mplstyle", "two/page.html"])
def test_every_byte_counts(package, name):
    def digest():
        return code_digests.of_folders(package, ["one", "two"])

    before = digest()
    assert len(before) == 16 and code_digests.of_folders(package, ["two", "one", "one/deep"]) == before
    path = package / name
    text = path.read_bytes()
    path.write_bytes(text.replace(b"#", b"##"))
    assert digest() != before
    path.write_bytes(text)
    assert digest() == before
    path.rename(path.with_stem("other"))
    assert digest() != before


def test_other_files_and_other_places_do_not_count(package, tmp_path_factory):
    before = code_digests.of_folders(package, ["one"])
    (package / "one/__pycache__").mkdir()
    (package / "one/__pycache__/a.cpython-311.pyc").write_bytes(b"x")
    (package / "one/notes.txt").write_text("x")
    (package / "two/c.py").write_text("x = 2\n")
    assert code_digests.of_folders(package, ["one"]) == before
    moved = package.rename(tmp_path_factory.mktemp("elsewhere") / "package")
    assert code_digests.of_folders(moved, ["one"]) == before


def test_the_folders_of_every_stage_exist():
    folders = {folder for stage in code_digests.STAGES.values() for folder in stage}
    assert all((code_digests.PACKAGE / folder).is_dir() for folder in folders)
    digests = {code_digests.of_stage(stage) for stage in code_digests.STAGES}
    assert len(digests) == len(code_digests.STAGES)
