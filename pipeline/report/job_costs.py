"""What the jobs of a campaign cost: `costs.html`, beside the report.

Costs are no part of the results, which are the same whatever they cost. So no rule makes this page
and none depends on it: the process that ran the jobs writes it when all are done.
"""

import csv
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from graphlib import TopologicalSorter
from pathlib import Path

from pipeline.report.chart import Chart
from pipeline.report.drawing import Spec, look
from pipeline.report.markup import environment, json_block, policy, script, style
from pipeline.report.scripts import behaviour, vega
from pipeline.storage import usage
from pipeline.storage.atomic import atomic

_HERE = Path(__file__).parent
_TEMPLATE = "job_costs.html.j2"
_PDF = "pdf.js"
_BARS = 20  # of a chart; the rules beyond are one bar
_MEGABYTE = 1_000_000


@dataclass(frozen=True, kw_only=True)
class Job:
    """One job: its rule, what it cost, and the names of the jobs it waits for."""

    name: str
    rule: str
    what: str  # of the rule, in a sentence
    seconds: float
    cpu: float
    memory: float  # the most it held, in bytes
    after: tuple[str, ...]


@dataclass(frozen=True)
class Planned:
    """A job as the workflow knows it."""

    name: str
    rule: str
    what: str
    benchmark: Path
    after: tuple[str, ...]
    now: bool  # made by this command


@dataclass(frozen=True, kw_only=True)
class Command:
    """The command that made them: how long it took, on how many cores, and for whom else."""

    seconds: float
    cores: int | None
    campaigns: int = 1


@dataclass(frozen=True, kw_only=True)
class RuleCost:
    """All jobs of one rule together; `chain` is what they take of the longest chain."""

    rule: str
    what: str
    jobs: int
    seconds: float
    longest: float
    cpu: float
    memory: float
    chain: float


@dataclass(frozen=True)
class Costs:
    """The jobs of a campaign, and what they cost together."""

    jobs: Sequence[Job]

    @property
    def seconds(self) -> float:
        """The time of all jobs, one after the other."""
        return sum(job.seconds for job in self.jobs)

    @property
    def cpu(self) -> float:
        """The processor time of all jobs."""
        return sum(job.cpu for job in self.jobs)

    @property
    def largest(self) -> Job:
        """The job with the most memory."""
        return max(self.jobs, key=lambda job: job.memory)

    @cached_property
    def chain(self) -> tuple[Job, ...]:
        """The critical path: of all chains of jobs that wait for one another, the longest."""
        jobs = {job.name: job for job in self.jobs}
        waits = {name: [one for one in job.after if one in jobs] for name, job in jobs.items()}
        until: dict[str, float] = {}
        before: dict[str, str | None] = {}
        for name in TopologicalSorter(waits).static_order():
            last = max(waits[name], key=lambda one: until[one], default=None)
            before[name] = last
            until[name] = jobs[name].seconds + (until[last] if last else 0.0)
        at: str | None = max(until, key=lambda one: until[one])
        found = []
        while at:
            found.append(jobs[at])
            at = before[at]
        return tuple(reversed(found))

    @property
    def chain_seconds(self) -> float:
        """What the longest chain takes: no number of cores makes the campaign faster."""
        return sum(job.seconds for job in self.chain)

    @cached_property
    def rules(self) -> tuple[RuleCost, ...]:
        """The rules, the one that takes the most time first."""
        mine: dict[str, list[Job]] = {}
        for job in self.jobs:
            mine.setdefault(job.rule, []).append(job)
        made = [
            RuleCost(
                rule=rule,
                what=jobs[0].what,
                jobs=len(jobs),
                seconds=sum(job.seconds for job in jobs),
                longest=max(job.seconds for job in jobs),
                cpu=sum(job.cpu for job in jobs),
                memory=max(job.memory for job in jobs),
                chain=sum(job.seconds for job in self.chain if job.rule == rule),
            )
            for rule, jobs in mine.items()
        ]
        return tuple(sorted(made, key=lambda one: (-one.seconds, one.rule)))


def read(planned: Iterable[Planned]) -> tuple[Costs, tuple[str, ...]]:
    """The costs of jobs, and the names of those that left no benchmark file."""
    found, without = [], []
    for job in planned:
        cost = _cost(job.benchmark)
        if cost is None:
            without.append(job.name)
            continue
        seconds, cpu, memory = cost
        found.append(
            Job(
                name=job.name,
                rule=job.rule,
                what=job.what,
                after=job.after,
                seconds=seconds,
                cpu=cpu,
                memory=memory,
            )
        )
    return Costs(found), tuple(without)


def _cost(benchmark: Path) -> tuple[float, float, float] | None:
    """Seconds, processor seconds and bytes of a job; None without a benchmark file.

    Time is Snakemake's. Memory and processor time are what the process itself had used in the end,
    where it kept that; Snakemake's samples count where they saw more, as with several processes.
    """
    if not benchmark.is_file():
        return None
    with benchmark.open(newline="", encoding="utf-8") as file:
        row = next(csv.DictReader(file, delimiter="\t"), None)
    if row is None:
        return None
    cpu, memory = _number(row, "cpu_time"), _number(row, "max_rss") * 2**20
    kept = usage.place(benchmark)
    if kept.is_file():
        own = usage.read(kept)
        cpu, memory = max(cpu, own.cpu), max(memory, own.memory)
    return _number(row, "s"), cpu, memory


def _number(row: Mapping[str, str | None], key: str) -> float:
    """A figure of a benchmark file, which has NA where Snakemake could not look."""
    try:
        return float(row.get(key) or 0)
    except ValueError:
        return 0.0


def write(planned: Sequence[Planned], *, title: str, command: Command, out: Path) -> None:
    """Write the page of one campaign."""
    costs, without = read(planned)
    if not costs.jobs:
        return
    charts = [
        Chart(name="time", title="Time", spec=time_chart(costs.rules)),
        Chart(name="memory", title="Memory", spec=memory_chart(costs.rules)),
    ]
    drawing = (_HERE / _PDF).read_text("utf-8")  # costs are no results: no figures are made of them
    scripts = {"page": script(f"{behaviour()}\n{drawing}"), "vega": script(vega())}
    html: str = (
        environment(_HERE)
        .get_template(_TEMPLATE)
        .render(
            title=title,
            costs=costs,
            without=without,
            made=sum(job.now for job in planned),
            command=command,
            charts={chart.name: chart for chart in charts},
            style=style(),
            data={
                "charts": json_block({chart.name: chart.for_page for chart in charts}),
                "look": json_block(look()),
            },
            scripts=scripts,
            policy=policy(list(scripts.values())),
        )
    )
    with atomic(out) as draft:
        draft.write_text(html, encoding="utf-8", newline="\n")


# Written as Vega-Lite has it, not by Altair, whose import would cost more than the whole page;
# a test has Altair check them.


def time_chart(rules: Sequence[RuleCost]) -> Spec:
    """The seconds of each rule, with its part of the longest chain."""
    tooltip = [
        {"field": "rule", "type": "nominal", "title": "Rule"},
        {"field": "jobs", "type": "quantitative", "title": "Jobs"},
        {"field": "seconds", "type": "quantitative", "title": "Seconds", "format": ".2f"},
        {"field": "chain", "type": "quantitative", "title": "On the longest chain"}
        | {"format": ".2f"},
    ]
    values = [
        {
            "rule": one.rule,
            "jobs": one.jobs,
            "seconds": round(one.seconds, 3),
            "chain": round(one.chain, 3),
        }
        for one in _shown(rules)
    ]
    layers = [
        _bars("seconds", "Seconds, all jobs of the rule", style="histogram", tooltip=tooltip),
        _bars("chain", "Seconds, all jobs of the rule", style="histogram-top", tooltip=tooltip),
    ]
    return _chart(values, layers, "Seconds of each rule; the numbers are in the table.")


def memory_chart(rules: Sequence[RuleCost]) -> Spec:
    """The most memory that a job of each rule held."""
    tooltip = [
        {"field": "rule", "type": "nominal", "title": "Rule"},
        {"field": "memory", "type": "quantitative", "title": "MB", "format": ",.0f"},
    ]
    values = [
        {"rule": one.rule, "memory": round(one.memory / _MEGABYTE, 1)} for one in _shown(rules)
    ]
    layers = [_bars("memory", "MB, its largest job", style="histogram", tooltip=tooltip)]
    return _chart(values, layers, "Memory of each rule; the numbers are in the table.")


def _shown(rules: Sequence[RuleCost]) -> list[RuleCost]:
    """The rules that have a bar of their own, and the others as one."""
    if len(rules) <= _BARS:
        return list(rules)
    rest = rules[_BARS - 1 :]
    together = RuleCost(
        rule=f"the other {len(rest)}",
        what="",
        jobs=sum(one.jobs for one in rest),
        seconds=sum(one.seconds for one in rest),
        longest=max(one.longest for one in rest),
        cpu=sum(one.cpu for one in rest),
        memory=max(one.memory for one in rest),
        chain=sum(one.chain for one in rest),
    )
    return [*rules[: _BARS - 1], together]


def _bars(field: str, title: str, *, style: str, tooltip: object) -> Spec:
    axis = {"grid": True, "tickCount": 5}
    return {
        "mark": {"type": "bar", "style": style},
        "encoding": {
            "y": {"field": "rule", "type": "nominal", "sort": None, "title": None},
            "x": {"field": field, "type": "quantitative", "title": title, "axis": axis},
            "tooltip": tooltip,
        },
    }


def _chart(values: Sequence[Mapping[str, object]], layers: Sequence[Spec], about: str) -> Spec:
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
        "description": about,
        "width": "container",
        "height": 20 * len(values),
        "datasets": {"rules": list(values)},
        "data": {"name": "rules"},
        "layer": list(layers),
    }
