"""The option by which commands answer in another language."""

from typing import Annotated

from cyclopts import Parameter

from phaseledger.domain.words import Language

LangOption = Annotated[Language, Parameter(name="--lang", help="Language of the answer.")]
