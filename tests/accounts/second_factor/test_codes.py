"""Codes of authenticator apps and recovery codes, without a database.

A code belongs to a period of 30 seconds; `1000 * 30` is the beginning of period 1000.
"""

import pytest

from accounts.second_factor import codes, sealing
from tests.accounts.second_factor.factories import SECRET

# Times of RFC 6238, appendix B, and the last six digits of their SHA-1 codes.
RFC = [(59, "287082"), (1111111109, "081804"), (1234567890, "005924"), (20000000000, "353130")]


@pytest.mark.parametrize(("moment", "code"), RFC)
def test_codes_are_those_of_rfc_6238(moment, code):
    assert codes.code_at(SECRET, moment // codes.PERIOD_S) == code
    assert codes.step_of(SECRET, code, moment, after=0) == moment // codes.PERIOD_S


def test_a_code_is_accepted_one_period_early_or_late_but_not_two():
    for periods, is_right in ((-2, False), (-1, True), (0, True), (1, True), (2, False)):
        code = codes.code_at(SECRET, 1000 + periods)
        assert (codes.step_of(SECRET, code, 1000 * 30, after=0) is not None) == is_right


def test_a_code_no_later_than_the_last_one_is_refused():
    code = codes.code_at(SECRET, 1000)
    assert codes.step_of(SECRET, code, 1000 * 30, after=999) == 1000
    assert codes.step_of(SECRET, code, 1000 * 30, after=1000) is None


def test_typed_codes_may_have_spaces_hyphens_and_capitals():
    assert codes.plain(" 287 082 ") == "287082"
    assert codes.plain("ABCDE-fghjk") == "abcdefghjk"
    # Full-width digits are not read as digits.
    assert codes.step_of(SECRET, codes.plain("２８７０８２"), 59, after=0) is None


def test_recovery_codes_differ_and_have_no_confusable_characters():
    fresh = codes.new_recovery_codes()
    assert len(set(fresh)) == codes.RECOVERY_CODE_COUNT
    assert not set("".join(fresh)) & set("01ilo")


def test_the_qr_code_names_site_account_and_secret():
    url = codes.app_url(SECRET, "annika")
    assert url == f"otpauth://totp/5Stars%20Gammon%3Aannika?secret={SECRET}&issuer=5Stars%20Gammon"


def test_secret_is_unsealed_with_an_earlier_key_but_not_after_the_key_is_lost(settings, caplog):
    settings.IDENTITY_KEYS = ["first"]
    sealed, digest = sealing.seal(SECRET), sealing.digest(1, "aaaaabbbbb")
    settings.IDENTITY_KEYS = ["second", "first"]
    assert sealing.unseal(sealed) == SECRET
    assert digest in sealing.digests(1, "aaaaabbbbb")
    assert digest not in sealing.digests(2, "aaaaabbbbb")
    settings.IDENTITY_KEYS = ["third"]
    assert sealing.unseal(sealed) is None
    assert "IDENTITY_KEYS" in caplog.text
    assert SECRET not in caplog.text
