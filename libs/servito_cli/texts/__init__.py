"""Everything that a person at a table reads, in Italian and English: data, in four modules for each language.

`form` says which texts there are, `en` and `it` give them; a test holds the two to the same enumerators and
the same fields in braces. What operators read (`up`, `demo`, `load`, errors of usage) is
English only, but for the doctor. Why the table refuses is translated in the SDK
(`servito_client.refusal_texts`), what hands are worth in `servito_core.naming`."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from servito_cli.texts import en, it
from servito_cli.texts.form import Texts


class Language(StrEnum):
    """What `--lang` may be."""

    EN = "en"
    IT = "it"


TEXTS: Final[dict[Language, Texts]] = {Language.EN: en.TEXTS, Language.IT: it.TEXTS}
