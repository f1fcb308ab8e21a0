"""The certificates in docs/data/certificates: of the registered parameters, with right arithmetic and counts."""

import re
from dataclasses import replace

import pytest

from helpers.sources import ROOT, text_of
from poissonmatch.studies.study_files import yamlfile
from poissonmatch.survival.certificates import check, independent_check, read
from poissonmatch.survival.certificates.certificate import checked
from poissonmatch.survival.certificates.cover import Cover

REGISTERED = yamlfile.read(ROOT / "config/certificates.yaml").data
SHIPPED = sorted((ROOT / "docs/data/certificates").glob("*.json"))
names = pytest.mark.parametrize("file", SHIPPED, ids=lambda file: file.stem)


@names
def test_a_certificate_is_of_the_registered_parameters(file):
    certificate, entry = read(file), REGISTERED[file.stem]
    if isinstance(certificate, Cover):  # a run may not be finished
        assert (certificate.name, certificate.design) == (file.stem, entry)
        assert all(one.certified and one.lower_bound > 0 for one in certificate.done[:-1])
        assert len(certificate.ranges) == 1
    else:
        assert replace(certificate, counts=()) == replace(checked(**entry), code=certificate.code, engine="")
        low, high = certificate.covers
        assert certificate.lower_bound > 0 and low < certificate.sample.ratio < high


def test_the_error_probabilities_of_all_registered_intervals_add_up_to_at_most_1e_9():
    covers = [Cover(name, entry) for name, entry in REGISTERED.items() if "parts" in entry]
    assert len(covers) == 2 and sum(one.error_probability for one in covers) < 1e-9
    assert all(read(file).error_probability <= 1e-9 for file in SHIPPED)


@pytest.mark.parametrize("page", ["README.md", "docs/index.md", "docs/measurements.md"])
def test_pages_claim_no_more_than_the_covers_certify(page):
    """The ends for the plane and for space, in this order."""
    covers = [read(SHIPPED[0].with_name(f"d{dim}-cover.json")) for dim in (2, 3)]
    claimed = re.findall(r"(?:at least\s+|\\ge )(0\.\d+)", text_of(page))
    assert len(claimed) == 2
    assert all(cover.ranges[0][0] <= float(end) < 0.5 for cover, end in zip(covers, claimed, strict=True))


@names
def test_the_arithmetic_is_right(file):
    assert check(file, 0)[1] == 0


def test_the_published_bounds_join_the_covers():
    for dim, bound in ((2, 0.617), (3, 0.64)):
        assert REGISTERED[f"d{dim}-cover"]["parts"][0]["ratio"][1] > bound


def test_there_are_certificates_of_the_plane_and_of_space():
    plane_and_space = {name for name, entry in REGISTERED.items() if entry["dim"] > 1}
    assert {file.stem for file in SHIPPED} == plane_and_space


@pytest.mark.verification
@pytest.mark.parametrize("name", ["d2-cover", "d3-cover", "d2-rho0.3", "d3-rho0.3", "d2-rho0.1"])
def test_boxes_drawn_again_have_the_same_counts(name):
    """Theory: openproblem, a certificate; three boxes of each, 20 of a cover, by SciPy and NumPy alone."""
    file, number = ROOT / f"docs/data/certificates/{name}.json", 20 if name.endswith("cover") else 3
    assert independent_check.check(file, number)[1] == number
