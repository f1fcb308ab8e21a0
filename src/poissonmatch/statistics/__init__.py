"""From matchings to numbers: tables, what is measured, estimates. Never pictures or paths."""
