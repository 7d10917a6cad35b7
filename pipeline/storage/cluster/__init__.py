"""Jobs on a cluster: what its users may set, how jobs are submitted, asked about and cancelled."""
