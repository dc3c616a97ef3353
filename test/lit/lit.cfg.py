"""lit: the files mirror the rooms; each holds its RUN lines."""

import os
import shutil

import lit.formats

config.name = "sdm"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.sdm_build_dir, "test", "lit", "output")

config.environment["PATH"] = os.pathsep.join([config.sdm_tools_dir, config.llvm_tools_dir, os.environ["PATH"]])
for name in ("HOME", "SDM_PTXAS", "CUDA_HOME", "ASAN_OPTIONS", "UBSAN_OPTIONS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
if config.sdm_sanitize:
    # Half of an LLVM allocator is our own instrumented code and half is not: its poisoning would contradict itself.
    config.environment.setdefault("ASAN_OPTIONS", "detect_leaks=0:allow_user_poisoning=0")
config.environment["FILECHECK_OPTS"] = "--enable-var-scope --dump-input-filter=error"

config.substitutions.append(("%python", config.sdm_python))
config.substitutions.append(("%source", config.sdm_source_dir))


def find_ptxas():
    """The assembler that judges PTX, or None: tests that need it are then unsupported, with a word why."""
    given = os.environ.get("SDM_PTXAS")
    home = os.environ.get("CUDA_HOME", "/usr/local/cuda")
    wheel = os.path.join(config.sdm_site_packages, "nvidia", "cu13", "bin", "ptxas")
    for candidate in (given, os.path.join(home, "bin", "ptxas"), shutil.which("ptxas"), wheel):
        if candidate and os.access(candidate, os.X_OK):
            return candidate
    return None


ptxas = find_ptxas()
if ptxas:
    config.available_features.add("ptxas")
    config.substitutions.append(("%ptxas", ptxas))
else:
    lit_config.note("no ptxas: tests that assemble PTX are unsupported")
