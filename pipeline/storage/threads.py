"""The same work in several threads: for what lets the others go on while it runs in C."""

from collections.abc import Callable


def in_threads(work: Callable[[], object], count: int) -> None:
    """Call `work` in `count` threads, this one among them; the first thing raised goes on."""
    import threading

    raised: list[BaseException] = []

    def safely() -> None:
        try:
            work()
        except BaseException as error:
            raised.append(error)

    others = [threading.Thread(target=safely) for _ in range(count - 1)]
    for one in others:
        one.start()
    safely()
    for one in others:
        one.join()
    if raised:
        raise raised[0]
