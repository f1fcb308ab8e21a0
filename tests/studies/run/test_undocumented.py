"""What no page of Snakemake documents and the workflow uses: each part is there, and says what is expected of it."""

import re
from pathlib import Path

import pytest

from helpers.checkout import ROOT, snakemake
from helpers.sources import text_of
from poissonmatch.studies.run.workflow import CONFIG

PARTS = {  # an expression in a Snakefile, and what it prints with --cores 3 and --default-resources job_minutes=7
    "workflow.current_basedir.get_path_or_uri(secret_free=True)": "{folder}",
    "workflow.resource_settings.cores": "3",
    "workflow.resource_settings.nodes": "None",
    "workflow.resource_settings.default_resources.get('job_minutes').raw": "7",
    "workflow.storage_registry.default_storage_provider": "None",
    "workflow.storage_settings.default_storage_prefix or ''": "",
    "workflow.is_main_process": "True",
}


@pytest.mark.workflow
def test_each_undocumented_part_is_there(tmp_path):
    lines = [f'print("{number}:", {part})' for number, part in enumerate(PARTS)]
    (tmp_path / "Snakefile").write_text("\n".join([*lines, "rule all:\n    default_target: True\n"]))
    done = snakemake(
        tmp_path, "-n", "--cores", "3", "--default-resources", "job_minutes=7", config="", source=ROOT / "src"
    )
    said = dict(re.findall(r"^(\d): ?(.*)$", done.stdout, re.M))
    expected = [text.format(folder=tmp_path) for text in PARTS.values()]
    assert [said[str(number)].rstrip("/") for number in range(len(PARTS))] == expected, done.stderr


def test_the_page_lists_all_of_them_and_the_rules_use_no_other():
    page = text_of("docs/snakemake.md")
    sources = [ROOT / "workflow/Snakefile", *(ROOT / "workflow/rules").glob("*.smk"), ROOT / "Snakefile"]
    used = {
        name for path in sources for name in re.findall(r"\bworkflow\.(\w+)", Path(path).read_text(encoding="utf-8"))
    }
    listed = set(re.findall(r"`workflow\.(\w+)`", page))
    documented = {"cores", "default_target"}
    assert used - documented == listed and len(listed) <= 5


def test_the_config_of_a_deployed_workflow_has_all_keys_and_their_defaults():
    import yaml

    assert yaml.safe_load(text_of("config/config.yaml")) == CONFIG
