"""The compiled run reader, `_reader.c`."""

SOURCES_DIGEST: str

class Reader:
    def __new__(cls, key: bytes, limit: int) -> Reader: ...
    def read(
        self, content: bytes, order: str, depth: int
    ) -> tuple[
        tuple[bytearray, bytearray, bytearray, bytearray, bytearray, bytearray],
        dict[str, int | str],
    ]: ...
    def topics(self) -> tuple[bytearray, bytes]: ...
    def documents(self) -> tuple[bytearray, bytes]: ...
    def find(self, starts: bytes, text: bytes) -> bytearray: ...

def levels(
    run: dict[str, dict[str, float]],
    topics: list[str],
    here: tuple[dict[str, dict[str, int]], ...],
    everywhere: tuple[dict[str, int], ...],
    order: str,
    depth: int,
    width: int,
    each: int,
    scores: bool,
) -> tuple[tuple[bytearray, ...], bytearray, bytearray | None, tuple[str, str] | None]: ...
