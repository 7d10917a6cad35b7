"""The papers of a config: what each reruns, with which settings, from which campaigns."""

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
    settings: Mapping[str, Any]  # its own keys, and the seed

    @property
    def roles(self) -> dict[str, str]:
        """The campaign in each role, by name."""
        return {role: campaign.name for role, campaign in self.uses.items()}

    def sources(self) -> dict[str, dict[str, Any]]:
        """The sources of each campaign it uses."""
        return {
            campaign.name: {
                name: {"kind": source.kind, "settings": dict(source.settings)}
                for name, source in campaign.sources.items()
            }
            for campaign in self.uses.values()
        }

    def files(self, *, absent: Mapping[str, str]) -> list[tuple[str, str]]:
        """The results it takes from the campaigns that are available: campaign, and file."""
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
    """What papers and campaigns disagree on; `names` are of all campaigns, good or not."""
    for name, keys in papers.items():
        paper = PAPERS[keys.rerun]
        if name in names:
            what = "is also the name of a campaign, and both would be in one folder"
            yield Mistake(("papers", name), what, "rename one")
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
    """What a campaign must have for the role it is given, and has not."""
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
