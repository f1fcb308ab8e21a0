"""The certificates in docs/data/certificates: of the registered parameters, with right arithmetic and counts."""

from dataclasses import replace
from pathlib import Path

import pytest

from poissonmatch.studies.study_files import yamlfile
from poissonmatch.survival.certificates import check, independent_check, read
from poissonmatch.survival.certificates.survival import planned

ROOT = Path(__file__).parents[2]
REGISTERED = yamlfile.read(ROOT / "config" / "certificates.yaml").data
SHIPPED = sorted((ROOT / "docs" / "data" / "certificates").glob("*.json"))
names = pytest.mark.parametrize("file", SHIPPED, ids=lambda file: file.stem)


@names
def test_a_certificate_is_of_the_registered_parameters(file):
    certificate = read(file)
    parts = getattr(certificate, "certificates", (certificate,))
    plan = planned(file.stem, REGISTERED[file.stem])[: len(parts)]  # a run may not be finished
    assert [replace(part, counts=(), code="") for part in parts] == [replace(part, code="") for part in plan]
    assert certificate.error_probability <= 1e-9
    assert all(part.complete and part.lower_bound > 0 for part in parts)


@names
def test_the_arithmetic_is_right(file):
    assert check(file, 0)[1] == 0


def test_there_are_certificates_of_the_plane_and_of_space():
    plane_and_space = {name for name, entry in REGISTERED.items() if entry["dim"] > 1}
    assert plane_and_space - {"d3-intervals"} <= {file.stem for file in SHIPPED} <= plane_and_space


@pytest.mark.verification
@pytest.mark.parametrize("name", ["d2-intervals", "d2-rho0.3", "d3-rho0.3", "d2-rho0.1"])
def test_boxes_drawn_again_have_the_same_counts(name):
    """Theory: openproblem, a certificate; three boxes of each by SciPy and NumPy alone, smaller ones first."""
    file = ROOT / "docs" / "data" / "certificates" / f"{name}.json"
    assert independent_check.check(file, 3)[1] == 3
