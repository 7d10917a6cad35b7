"""trec_eval's options, as its users type them."""

import getopt
from collections.abc import Sequence
from pathlib import Path

from pipeline.api.trec_eval.names import Options, printed
from pipeline.errors import InputError, Problem

# trec_eval's own long names; those with = take a value.
LONG = {
    "-h": "help", "-v": "version", "-q": "query_eval_wanted", "-m": "measure=",
    "-c": "complete_rel_info_wanted", "-l": "level_for_rel=", "-n": "nosummary",
    "-D": "Debug_level=", "-J": "Judged_docs_only", "-N": "Number_docs_in_coll=",
    "-M": "Max_retrieved_per_topic=", "-R": "Rel_info_format=", "-T": "Results_format=",
    "-Z": "Zscore=", "--float32": "float32",
}  # fmt: skip
SHORT = "o" + "".join(
    f"{o[1]}{':' * long.endswith('=')}" for o, long in LONG.items() if o[1] != "-"
)
FLAGS = {
    "-q": ("topics", True), "-c": ("complete", True), "-n": ("summary", False),
    "-J": ("judged", True), "--float32": ("nine", True),
}  # fmt: skip
WHOLE = {"-l": "level", "-M": "depth", "-N": "collection"}
USAGE = (
    "Usage: fathom trec_eval [-q] [-c] [-n] [-J] [-l N] [-M N] [-N N] [-m measure[.parameters]]... "
    "[--float32] qrels run [run ...]"
)


class Stop(Exception):
    """Nothing is evaluated: what to say instead, where, and the exit code."""

    def __init__(self, said: str, *, code: int, error: bool) -> None:
        super().__init__(said)
        self.said, self.code, self.error = said, code, error


def parse(argv: Sequence[str]) -> Options:
    """Read the options; `Stop` for those that only print something."""
    try:
        found, files = getopt.gnu_getopt(list(argv), SHORT, list(LONG.values()))
    except getopt.GetoptError as error:
        raise Stop(f"trec_eval: {error.msg}\n{USAGE}", code=1, error=True) from None
    short = {f"--{long.rstrip('=')}": option for option, long in LONG.items()}
    given: dict[str, object] = {}
    chosen = [(short.get(option, option), value) for option, value in found]
    measures = tuple(value for option, value in chosen if option == "-m")
    for option, value in chosen:
        if option == "-v":
            raise Stop("trec_eval version 10.0, as Fathom follows it", code=0, error=True)
        if option in FLAGS:
            given |= dict([FLAGS[option]])
        elif option in WHOLE:
            given[WHOLE[option]] = _whole(option, value)
        elif option not in ("-h", "-m"):
            _refuse(option, value)
    if any(option == "-h" for option, _ in chosen):
        raise Stop(_help(measures), code=0, error=False)
    if len(files) < 2:
        raise Stop(USAGE, code=1, error=True)
    if measures:
        given["measures"] = measures
    return Options(qrels=files[0], runs=tuple(files[1:]), **given)  # type: ignore[arg-type]


def _whole(option: str, value: str) -> int:
    try:
        return max(int(value), 0 if option != "-l" else int(value))
    except ValueError:
        problem = Problem(f"{option} {value}", "is not a whole number", "correct it")
        raise InputError(problem) from None


def _refuse(option: str, value: str) -> None:
    """Refuse what only trec_eval itself does; its default formats and -o are nothing to refuse."""
    if option == "-o" or (option, value) in (("-R", "qrels"), ("-T", "trec_results")):
        return
    what = {
        "-R": f"judgements in the form '{value}' (preferences, judgement groups)",
        "-T": f"runs in the form '{value}'",
        "-Z": "z-scores",
        "-D": "messages for debugging",
    }[option]
    fix = "leave the option out"
    raise InputError(Problem(f"{option} {value}", f"{what} are left to trec_eval itself", fix))


def _help(measures: Sequence[str]) -> str:
    lines = [USAGE, "", Path(__file__).with_name("help.txt").read_text("utf-8").rstrip("\n")]
    if measures:
        from pipeline.measures import REGISTRY

        lines.append("")
        for line in printed(measures, Options(qrels="", runs=())):
            ours = line.text.partition("(")[0].partition("@")[0]
            title = REGISTRY[ours].title if ours in REGISTRY else line.name
            lines.append(f"  {line.name:<22}  {title}{f' ({line.text})' if line.text else ''}")
    return "\n".join(lines)
