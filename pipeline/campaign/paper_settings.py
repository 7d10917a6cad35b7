"""The papers of a config: what each runs again, with which settings, from which campaigns."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.campaign import schema as shape
from pipeline.campaign.code import MEASURES
from pipeline.campaign.model import Campaign
from pipeline.campaign.paths import refuse
from pipeline.campaign.problems import Path as Place
from pipeline.campaign.problems import nearest
from pipeline.papers.at_hand import absent_campaigns
from pipeline.papers.paper import PAPERS, Paper

COMMON = ("rerun", "uses", "seed")  # keys of every paper


@dataclass(frozen=True, kw_only=True)
class Rerun:
    """One paper of the config."""

    name: str
    paper: Paper
    uses: Mapping[str, Campaign]  # by role
    settings: Mapping[str, Any]  # its own keys, and the seed

    @property
    def roles(self) -> dict[str, str]:
        """The campaign in each role, by name."""
        return {role: one.name for role, one in self.uses.items()}

    def sources(self) -> dict[str, dict[str, Any]]:
        """The sources of each campaign it uses."""
        return {
            campaign.name: {
                name: {"kind": one.kind, "settings": dict(one.settings)}
                for name, one in campaign.sources.items()
            }
            for campaign in self.uses.values()
        }

    def files(self, *, absent: Mapping[str, str]) -> list[str]:
        """The results it takes from the campaigns that can be had."""
        return [
            f"results/{campaign.name}/{file}"
            for role, campaign in self.uses.items()
            if campaign.name not in absent
            for file in self.paper.uses[role]
        ]

    def modules(self, _slug: str | None = None) -> Sequence[str]:
        """Its own module; and all measures, since what it computes is its own affair."""
        return [*MEASURES, self.paper.module]


def papers(config: Mapping[str, Any], *, campaigns: Mapping[str, Campaign]) -> dict[str, Rerun]:
    """The papers of a checked config by name."""
    each = _rules()
    made = {}
    for name, given in shape.plain(config).get("papers", {}).items():
        full = shape.filled(given, schema=each)
        paper = PAPERS[full["rerun"]]
        made[name] = Rerun(
            name=name,
            paper=paper,
            uses={role: campaigns[campaign] for role, campaign in full["uses"].items()},
            settings={key: full[key] for key in (*paper.keys, "seed")},
        )
    refuse([line for one in made.values() for line in _lacking(one)])
    return made


def _lacking(one: Rerun) -> Iterator[str]:
    """What a campaign must have for the role it is given."""
    for role, campaign in one.uses.items():
        known = {
            "measure": {measure.name for measure in campaign.measures},
            "source": set(campaign.sources),
            "dimension": set(campaign.dimensions),
        }
        wanted = [("measure", name) for name in one.paper.measures.get(role, ())]
        for file in one.paper.uses[role]:
            folder, _, name = file.partition("/")
            if folder == "sources":
                wanted.append(("source", name))
            if folder == "gains":
                wanted.append(("dimension", name.removesuffix(".npz")))
        for kind, name in wanted:
            if name not in known[kind]:
                yield (
                    f"config: papers.{one.name}.uses.{role} names the campaign '{campaign.name}', "
                    f"which lacks the {kind} '{name}'; add it there"
                )


def problems(config: Mapping[str, Any]) -> Iterator[tuple[Place, str]]:
    """What a schema cannot say about the papers of a well-formed config."""
    given, campaigns = config.get("papers", {}), config.get("campaigns", {})
    if not given and not campaigns:
        yield ("campaigns",), "is missing; add it (the campaigns to run, by name)"
    for name, one in given.items():
        at = ("papers", name)
        paper = PAPERS[one["rerun"]]
        full = shape.filled(one, schema=_rules())
        if name in campaigns:
            yield at, "is also the name of a campaign, and both would be in one folder; rename one"
        for key in one:
            if key not in paper.keys and key not in COMMON:
                yield (*at, key), f"has no meaning for the paper '{paper.name}'; remove it"
        for role, campaign in full["uses"].items():
            if role not in paper.uses:
                hint = nearest(role, list(paper.uses), kind="roles")
                yield (*at, "uses", role), f"is not a role of the paper '{paper.name}'; {hint}"
            elif campaign not in campaigns:
                hint = nearest(campaign, list(campaigns), kind="campaigns")
                yield (*at, "uses", role), f"names the unknown campaign '{campaign}'; {hint}"
        for key, sentence in paper.problems({key: full[key] for key in (*paper.keys, "seed")}):
            yield (*at, key), sentence


def unused(campaigns: Mapping[str, Campaign], papers: Mapping[str, Rerun]) -> list[str]:
    """The campaigns that are there for their own sake: those no paper uses."""
    used = {name for one in papers.values() for name in one.roles.values()}
    return [name for name in campaigns if name not in used]


def forget_absences(papers: Mapping[str, Rerun], *, results: Path) -> None:
    """Remove the notes of campaigns that could not be had: whether they can is asked anew.

    That something is at hand stays true; that it is not may have changed with a mirror or the net.
    """
    for name in papers:
        note = results / name / "at_hand.json"
        if note.is_file() and absent_campaigns(note):
            note.unlink()


def _rules() -> Mapping[str, Any]:
    rules: Mapping[str, Any] = shape.schema()["properties"]["papers"]["additionalProperties"]
    return rules
