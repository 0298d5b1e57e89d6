"""Commands and what stands behind them: matches, checks, speed, compiling ahead."""
