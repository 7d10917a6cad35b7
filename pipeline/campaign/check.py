"""`python -m pipeline.campaign.check CONFIG...`: the intake desk, whatever state things are in.

Where nothing is wrong with a config, the workflow's own target looks at everything. Otherwise, and
where that fails, it is done here: what is wrong with the config, which sources cannot be had and
which files are missing stand on the page beside what is wrong with the files that are there. A page
and a table are left for each campaign in any case, and the exit code says how bad it is: 1 if
anything is wrong, and with --strict also if anything is odd.
"""

import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pipeline.campaign import desk_settings, examined, told_at
from pipeline.campaign.lines import lines_of
from pipeline.campaign.mending import NOWHERE, mended
from pipeline.campaign.model import Campaign
from pipeline.campaign.paths import find
from pipeline.errors import InputError
from pipeline.intake.desk import inspect
from pipeline.intake.gathering import gather
from pipeline.intake.page import write_page, write_table
from pipeline.intake.problem import Problem, in_order, sentence_parts, wrong
from pipeline.intake.teams import NOBODY, Assigned, assigned
from pipeline.intake.verdict import verdict
from pipeline.sources.kind import make
from pipeline.sources.places import here
from pipeline.storage import strict_yaml

RESULTS = Path("results")
FOLDER = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")

Workflow = Callable[[Path], bool]  # asks the workflow's own target; whether it ended well


def check(config: Path, *, workflow: Workflow) -> list[Path]:
    """Look at all campaigns of a config; the folders that hold their pages and tables."""
    try:
        given = strict_yaml.config(config)
    except InputError as error:
        told = [sentence_parts(line, path=config) for line in str(error).split("\n")]
        problems = [wrong("config", "", config, line, what, fix) for line, what, fix in told]
        return [_write(RESULTS / _stem(config), config.name, problems)]
    named = given.get("campaigns")
    names = [name for name in named if isinstance(name, str)] if isinstance(named, dict) else []
    campaigns, sentences = _read(given, names)
    if not sentences:
        started = time.time()
        if workflow(config):
            return [RESULTS / name / "check" for name in names]
        stopped = {name: _failures(name, since=started) for name in names}
    else:
        stopped = {}
    problems = list(_config(config, sentences))
    known = [name for name in names if FOLDER.fullmatch(name)]
    if not known:
        return [_write(RESULTS / _stem(config), config.name, problems)]
    return [
        _look(
            name,
            campaign=campaigns[name],
            given=given,
            problems=[one for one in problems if _concerns(one, name)],
            stopped=stopped.get(name, []),
        )
        for name in known
    ]


def _read(
    given: Mapping[str, Any], names: Sequence[str]
) -> tuple[dict[str, Campaign | None], list[str]]:
    """The campaigns as far as they go, and a sentence for all that is wrong with the config."""
    made, sentences = examined(given)
    campaigns: dict[str, Campaign | None] = {}
    for name in names:
        campaigns[name] = made.get(name)
        if name not in made:
            campaigns[name], meaning = mended(name, given["campaigns"][name])
            sentences += [told_at(("campaigns", name, *path), text) for path, text in meaning]
        if found := campaigns[name]:
            sentences += [text for text in find(found)[1] if NOWHERE not in text]
    return campaigns, list(dict.fromkeys(sentences))


def _look(
    name: str,
    *,
    campaign: Campaign | None,
    given: Mapping[str, Any],
    problems: Sequence[Problem],
    stopped: Sequence[str],
) -> Path:
    """The page of one campaign; `stopped` is what the workflow said, if it was asked."""
    told = list(problems)
    for line in stopped:
        _, what, fix = sentence_parts(line, path=Path())
        told.append(wrong("source", "", "", None, what, fix))
    if campaign is None:
        return _write(RESULTS / name, name, told)
    with tempfile.TemporaryDirectory() as folder:
        tried = {
            source
            for source in campaign.sources
            if stopped or any(f".sources.{source}." in one.what for one in problems)
        }
        lacking, said = _sources(campaign, given=given, folder=Path(folder), tried=tried)
        labels = desk_settings.labels(campaign)
        desk, missing = gather(
            runs=campaign.runs.files,
            form=campaign.runs.format,
            team=campaign.runs.team,
            labels=labels,
            further={},
            topics=campaign.topics,
            people=campaign.people,
            policies=desk_settings.policies(campaign),
            sources=folder,
        )
        # Of a local file that is missing the config's check has told, and of a source itself.
        inside = [one for one in missing if one.file.startswith("@")]
        told += [*said, *(one for one in inside if one.file[1:].split("/")[0] not in lacking)]
        told += inspect(desk, settings=labels, topics=campaign.topics)
        whose = assigned(desk.runs, given=desk.team, table=desk.team_table)
        shown = [_shown(one, folder, str(RESULTS / name / "sources")) for one in told]
        return _write(RESULTS / name, campaign.title, shown, runs=desk.runs, whose=whose)


def _sources(
    campaign: Campaign, *, given: Mapping[str, Any], folder: Path, tried: set[str]
) -> tuple[set[str], list[Problem]]:
    """Put each source into the folder, as it was made before or anew; those that cannot be had."""
    lacking: set[str] = set()
    problems: list[Problem] = []
    for name, one in campaign.sources.items():
        before = RESULTS / campaign.name / "sources" / name
        if before.is_dir():
            (folder / name).symlink_to(before.resolve(), target_is_directory=True)
            continue
        lacking.add(name)
        if name in tried:  # why it cannot be had was told
            continue
        try:
            places = here(given, campaign=campaign.name)
            make(folder / name, kind=one.kind, settings=one.settings, places=places)
            lacking.discard(name)
        except InputError as error:
            _, what, fix = sentence_parts(str(error), path=folder / name)
            problems.append(wrong("source", name, f"@{name}", None, what, fix))
    return lacking, problems


def _config(config: Path, sentences: Sequence[str]) -> Iterator[Problem]:
    lines = lines_of(config)
    for sentence in sentences:
        text = sentence.removeprefix("config: ")
        keys = [key for key in lines if re.match(rf"{re.escape(key)}(?![\w-])", text)]
        line = lines[max(keys, key=len)] if keys else None
        _, what, fix = sentence_parts(text, path=config)
        yield wrong("config", "", config, line, what, fix)


def _concerns(problem: Problem, name: str) -> bool:
    """Whether a problem of a config is one of this campaign, or of all."""
    found = re.match(r"campaigns\.(?:'(.*?)'|([\w-]+))(?=[. ]|$)", problem.what)
    return found is None or (found[1] or found[2]) == name or f"campaigns.{name}." in problem.what


def _failures(name: str, *, since: float) -> list[str]:
    """What failed jobs had to say, a sentence each; of an error of our own the last line."""
    told = []
    for path in sorted((RESULTS / name / "logs").rglob("*.log")):
        if path.stat().st_mtime >= since - 1 and (text := path.read_text("utf-8").strip()):
            told += text.splitlines()[-1 if text.startswith("Traceback") else 0 :]
    return told or ["the workflow stopped; what it printed says why"]


def _shown(problem: Problem, folder: str, place: str) -> Problem:
    """A problem with a source's file under the name it has in the campaign's results."""
    what = problem.what.replace(folder, place)
    return replace(problem, file=problem.file.replace(folder, place), what=what)


def _write(
    folder: Path,
    title: str,
    problems: Sequence[Problem],
    *,
    runs: Sequence[Path] = (),
    whose: Assigned = NOBODY,
) -> Path:
    told, out = in_order(problems), folder / "check"
    write_table(told, out=out / "problems.csv")
    write_page(
        told,
        title=title,
        runs=runs,
        teams=whose.teams,
        nobodys=whose.nobodys,
        out=out / "index.html",
    )
    return out


def _stem(config: Path) -> str:
    return re.sub(r"[^A-Za-z0-9._-]", "_", config.stem).lstrip("._-") or "config"


def _snakemake(config: Path) -> bool:
    command = ["-m", "snakemake", "--cores", "all", "--quiet", "--configfile", str(config)]
    return subprocess.run([sys.executable, *command, "--", "check"], check=False).returncode == 0


def main(arguments: Sequence[str]) -> int:
    """Look at the campaigns of each config, and say how they stand."""
    configs = [Path(one) for one in arguments if one != "--strict"]
    folders = [folder for one in configs for folder in check(one, workflow=_snakemake)]
    lines, code = verdict(folders, strict="--strict" in arguments)
    print("\n".join(lines))
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
