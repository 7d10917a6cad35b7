"""The report of a campaign: pages that open offline, figures and tables for the paper."""
