"""How many examples hypothesis draws: the same few in every run of the tests, many new ones under `--hypothesis-profile=fuzz`."""

try:
    from hypothesis import HealthCheck, settings
except ImportError:  # all tests but `test_fuzz.py` run without it, those of a GPU's machine among them
    settings = None

if settings is not None:
    # An example compiles now and then, so none has a deadline. A failure prints what draws it again.
    common = dict(deadline=None, print_blob=True, suppress_health_check=list(HealthCheck))
    settings.register_profile("tests", max_examples=36, derandomize=True, database=None, **common)
    settings.register_profile("fuzz", max_examples=1000, derandomize=False, **common)
    settings.load_profile("tests")
