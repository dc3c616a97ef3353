"""What the compiler reports, as exceptions: a rule that a schedule breaks, with the kernel's line; or a failure of the compiler's own, with
a file that reproduces it."""

from __future__ import annotations

import pathlib
import re
import tempfile

from sdm.errors import CompilerError, ScheduleError
from sdm.frontend.errors import from_diagnostics
from sdm.frontend.specs import AbsentSpec, ConstSpec
from sdm.options import Options

# MLIR's own form of a reproducer.
RESOURCES = """
{{-#
  external_resources: {{
    mlir_reproducer: {{
      pipeline: "{pipeline}",
      disable_threading: true,
      verify_each: true
    }}
  }}
#-}}
"""
# What comes behind the passes, for a phase that is none.
BEHIND = {"llvm": " | sdm-translate --sdm-to-ptx --chip={target}", "ptxas": " | sdm-translate --sdm-to-cubin --chip={target}"}


def names_of(specs) -> list[str]:
    """The parameters that are arguments of the compiled function, in order; specs: pairs of a name and a Spec."""
    return [name for name, spec in specs if not isinstance(spec, (AbsentSpec, ConstSpec))]


def named(sentence: str, names: list[str]) -> str:
    """A sentence of the planner, which knows operands by their numbers, with their names."""

    def name(found: re.Match) -> str:
        number = int(found[1])
        return names[number] if number < len(names) else found[0]

    return re.sub(r"\boperand (\d+)\b", name, sentence)


def failure(error, name: str, text: str, specialisation, chosen: Options) -> CompilerError:
    """The exception for an `_sdm.DiagnosticError` of a compilation of the kernel `name` with that text."""
    target = specialisation.target
    if error.phase == "plan":
        sentence = named(str(error), names_of(specialisation.specs))
        placed = from_diagnostics([(severity, named(message, names_of(specialisation.specs)), sites) for severity, message, sites in error.diagnostics])
        return ScheduleError(sentence, str(placed or f"{target}: {sentence}"))
    if not error.phase:
        return CompilerError(f"{target}: {error}")
    file = write_reproducer(error, name, text, target, chosen)
    return CompilerError(f"{target}: {error} (in phase {error.phase}; 'sdm-opt --run-reproducer {file}' shows it)", file)


def write_reproducer(error, name: str, text: str, target: str, chosen: Options) -> str:
    """Writes the structured kernel with the passes up to the failure, into SDM_DUMP or among the temporary files."""
    folder = pathlib.Path(chosen.dump or tempfile.gettempdir())
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", dir=folder, prefix=f"{name}.{target}.", suffix=".reproducer.mlir", delete=False) as file:
        behind = "" if target == "host" else BEHIND.get(error.phase, "").format(target=target)
        what = "\n".join(f"// {line}" for line in str(error).splitlines())
        file.write(f"// RUN: sdm-opt --run-reproducer {file.name}{behind}\n{what}\n{text.rstrip()}\n")
        file.write(RESOURCES.format(pipeline="builtin.module(" + error.pipeline.replace('"', '\\"') + ")"))
    return file.name
