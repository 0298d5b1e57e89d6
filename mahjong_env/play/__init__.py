"""One table, for people: `Game` and `Record`, outcomes, scoring, resampling, descriptions."""
