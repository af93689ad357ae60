"""The compiled part of _request.py; see there."""

from typing import Callable

from typing_extensions import Buffer

from ._request import WholeRequest
from ._tables_gen import Method

def setup(
    init: int,
    reset: int,
    parse: int,
    methods: tuple[Method, ...],
    type: type[WholeRequest],
    otherwise: Callable[[Buffer], WholeRequest | None],
) -> None: ...
def parse_request(data: Buffer, /) -> WholeRequest | None: ...
