"""The reference at the end of docs/write_a_variant.md is what the code gives."""

from mahjong_env.tools import reference


def test_the_page_has_the_reference_of_this_code() -> None:
    written = reference.page_with(reference.reference())
    page = reference.PAGE.read_text(encoding="utf-8")
    assert page == written, f"docs/{reference.PAGE.name} is of older code; write it anew with: {reference.COMMAND}"


def test_everything_in_the_reference_says_what_it_is() -> None:
    assert "(no docstring)" not in reference.reference()
