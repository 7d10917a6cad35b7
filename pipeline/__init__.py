"""Fathom's library: one module a step of a campaign, usable without Snakemake."""
