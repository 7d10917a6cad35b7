"""The papers of a config: the experiment each reruns, its settings and its campaigns."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pipeline.campaign.model import Campaign
from pipeline.campaign.problems import Mistake, nearest
from pipeline.papers.paper import PAPERS, Paper, PaperKeys


@dataclass(frozen=True, kw_only=True)
class Rerun:
    """One paper of the config."""

    name: str
    paper: Paper
    uses: Mapping[str, Campaign]  # by role
    settings: Mapping[str, Any]  # its keys, and the seed

    @property
    def roles(self) -> dict[str, str]:
        return {role: campaign.name for role, campaign in self.uses.items()}

    def sources(self) -> dict[str, dict[str, Any]]:
        return {
            campaign.name: {
                name: {"kind": source.kind, "settings": dict(source.settings)}
                for name, source in campaign.sources.items()
            }
            for campaign in self.uses.values()
        }

    def files(self, *, absent: Mapping[str, str]) -> list[tuple[str, str]]:
        """The results that the paper reads of available campaigns: campaign and file."""
        return [
            (campaign.name, file)
            for role, campaign in self.uses.items()
            if campaign.name not in absent
            for file in self.paper.uses[role]
        ]


def rerun(name: str, keys: PaperKeys, campaigns: Mapping[str, Campaign]) -> Rerun:
    """A paper of a config, with the campaigns it uses."""
    uses = {role: campaigns[campaign] for role, campaign in keys.uses.items()}
    settings = keys.model_dump(exclude={"rerun", "uses"})
    return Rerun(name=name, paper=PAPERS[keys.rerun], uses=uses, settings=settings)


def problems(
    papers: Mapping[str, PaperKeys], *, names: Sequence[str], campaigns: Mapping[str, Campaign]
) -> Iterator[Mistake]:
    """Conflicts between papers and campaigns; `names` includes invalid campaigns."""
    for name, keys in papers.items():
        paper = PAPERS[keys.rerun]
        if name in names:
            what = "is also the name of a campaign, so both would write to one folder"
            yield Mistake(("papers", name), what, "rename one of them")
        for role, campaign in keys.uses.items():
            at = ("papers", name, "uses", role)
            if role not in paper.uses:
                hint = nearest(role, list(paper.uses), kind="roles")
                yield Mistake(at, f"is not a role of the paper '{paper.name}'", hint)
            elif campaign not in names:
                hint = nearest(campaign, names, kind="campaigns")
                yield Mistake(at, f"names the unknown campaign '{campaign}'", hint)
            elif campaign in campaigns:
                for missing in _missing(paper, role, campaigns[campaign]):
                    what = f"names the campaign '{campaign}', which lacks the {missing}"
                    yield Mistake(at, what, "add it there")


def _missing(paper: Paper, role: str, campaign: Campaign) -> Iterator[str]:
    """Measures, sources and dimensions that the campaign lacks for its role."""
    measures = {measure.name for measure in campaign.measures}
    for name in paper.measures.get(role, ()):
        if name not in measures:
            yield f"measure '{name}'"
    for folder, _, name in (file.partition("/") for file in paper.uses[role]):
        if folder == "sources" and name not in campaign.sources:
            yield f"source '{name}'"
        dimension = name.removesuffix(".npz")
        if folder == "gains" and dimension not in campaign.dimensions:
            yield f"dimension '{dimension}'"
