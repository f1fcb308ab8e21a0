"""Rules: which points may be matched, and how many partners they may have."""
