"""One file or folder per variant; `interface.py` says what it states."""
