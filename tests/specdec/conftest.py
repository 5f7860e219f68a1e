"""Property tests draw the same examples in every run, and time is no verdict."""

from hypothesis import settings

settings.register_profile("repeatable", deadline=None, derandomize=True)
settings.load_profile("repeatable")
