"""What the intake desk is told of a campaign: which labels to read, and under which policies."""

from dataclasses import replace
from typing import Any

from pipeline.campaign.model import Campaign
from pipeline.labels.reading import Labels
from pipeline.pages.baselines.settings import run_of


def labels(campaign: Campaign) -> dict[str, Labels]:
    """How the labels of the dimensions are read that have any."""
    return {name: one.labels for name, one in campaign.dimensions.items() if one.labels}


def further(campaign: Campaign) -> dict[str, Labels]:
    """How further label files are read: of judgement sets, and the audit's own."""
    found = {}
    for name, own in labels(campaign).items():
        judging = campaign.dimensions[name].judging
        for which, files in (judging.sets if judging else {}).items():
            found[f"{name}, set {which}"] = replace(own, files=files)
    for which, chosen in (campaign.audit.labels if campaign.audit else {}).items():
        found |= {f"{name}, audit {which}": one for name, one in chosen.items()}
    return found


def policies(campaign: Campaign) -> dict[str, Any]:
    """The policies that what was handed in is looked at under, and the runs that are made here."""
    own = campaign.policies
    names = ("order", "depth", "duplicates", "bad_scores")
    made = [*map(run_of, campaign.baselines), *campaign.fusion]
    named = {name: getattr(own, name) for name in names}
    return {"topics_from": own.topics, "made": made, **named}
