"""The mover inside Sparse Delta Memory: layers of the published package run with its own mover and with ours, results compared bit by bit.

    PYTHONPATH=python:<the package> python test/gpu/client [--build] [--shapes hd128,hd1024] [--quick] [--eager-only]

For each shape, the package's own mover gives the results that are expected. Ours runs along every path that the package has: a plan for
its loop in C++, launches from its loop in Python, records that are made step by step, and inside its CUDA graphs. One line a shape: name,
'equal' or the first tensor that differs, the paths taken, microseconds of the step loop and of the whole backward in CUDA graphs (package /
ours = ratio, medians of rounds in turns), and of host work in make_gds and plan. Exit status 1 if a bit differs, a mover was not used or a
shape fails.
"""

from __future__ import annotations

import argparse
import gc
import pathlib
import statistics
import subprocess
import sys
import time
import traceback

import extensions
import movers
import platformdirs
import shapes

THEIRS, OURS = "package", "ours"


def run_shape(shape: shapes.Shape, chosen: argparse.Namespace) -> tuple[list[str], list[str]]:
    """(faults, words of the line) of one shape."""
    faults: list[str] = []
    eager = Both(shape, graphs=False)
    expected = eager.run(THEIRS, movers.PLAN, faults)
    again = eager.run(THEIRS, movers.PLAN, faults)
    faults += eager.differences("the package's mover against itself", again, expected)
    said = [f"{eager.members:.2f} reads a group"]
    taken = []
    for path in (movers.PLAN, movers.LAUNCH, movers.PROVIDER):
        before = len(faults)
        found = eager.run(OURS, path, faults)
        faults += eager.differences(path, found, expected)
        taken += [path] if len(faults) == before else []
    if not chosen.eager_only:
        before = len(faults)
        graphs = Both(shape, graphs=True, state=eager.client.layer.state_dict())
        faults += graphs.captured(faults)
        taken += ["graph"] if len(faults) == before else []
    said.append("paths " + ", ".join(taken or ["none"]))
    said += [", ".join(f"{name} {eager.policy.get(name)}" for name in ("nw", "ppw", "K", "nsl", "records", "pdl_capable"))]
    if not faults and chosen.rounds:
        said += times(eager, None if chosen.eager_only else graphs, chosen.rounds)
    return faults, said


class Both:
    """One shape's layer (two with graphs: a layer keeps the mover that it was captured with) and the steps that it runs."""

    def __init__(self, shape: shapes.Shape, graphs: bool, state: dict | None = None):
        from results import Client

        self.members, self.policy = 0.0, {}
        x, dy = shapes.inputs(shape)
        layers = {who: shapes.layer(shape, graphs) for who in ((THEIRS, OURS) if graphs else (THEIRS,))}
        if state is not None:
            for layer in layers.values():
                layer.load_state_dict(state)
        self.clients = {who: Client(layer, x, dy) for who, layer in layers.items()}
        self.client = self.clients[THEIRS]

    def run(self, who: str, path: str, faults: list[str]) -> dict:
        """An eager step."""
        from results import emptiness, members_of_a_group

        with movers.using(who == OURS, path) as calls:
            found = self.client.step(calls)
        faults += [f"{who}, {path}: {fault}" for fault in movers.faults(calls, who == OURS, path) + loop_faults(path)]
        faults += [f"{who}, {path}: {emptiness(found)}"] if emptiness(found) else []
        self.members = members_of_a_group(calls[-1].operands["words"])
        if who == OURS and path == movers.PLAN:
            self.policy = calls[-1].policy
        return found

    def captured(self, faults: list[str]) -> list[str]:
        """The differences of our graphs' results from the package's: of the step that captures, and of one that replays."""
        found: dict = {}
        for who, client in self.clients.items():
            with movers.using(who == OURS) as calls:
                first = client.step()
                faults += [f"{who}, graph: {fault}" for fault in movers.faults(calls, who == OURS, movers.PLAN)]
            made = len(calls)
            with movers.using(who != OURS) as others:
                second = client.step(calls)  # what was captured counts, not what is installed
            faults += [] if made == 2 and not others else [f"{who}, graph: make_gds called {made} times, then {len(others)}; expected 2, 0"]
            stats = dict(client.layer.graph_runner.stats)
            expected = dict(forward_capture=1, forward_replay=2, backward_capture=1, backward_replay=1)
            faults += [] if stats == expected else [f"{who}, graph: expected {expected}, got {stats}"]
            found[who] = (first, second)
        return [
            fault
            for name, ours, theirs in zip(("graph, first step", "graph, replayed"), found[OURS], found[THEIRS])
            for fault in self.differences(name, ours, theirs)
        ]

    @staticmethod
    def differences(path: str, found: dict, expected: dict) -> list[str]:
        from results import difference

        differs = difference(found, expected)
        return [f"{path}: {differs}"] if differs else []


def loop_faults(path: str) -> list[str]:
    """What the package itself says of its last step loop."""
    from sparse_delta_memory import backward

    wanted = "eager_cpp_step_loop" if path == movers.PLAN else "python_step_loop"
    taken = backward.LAST_LOOP["name"]
    return [] if taken == wanted else [f"expected the package's {wanted}, got {taken}"]


def times(eager: Both, graphs: Both | None, rounds: int) -> list[str]:
    """Step loop, backward in graphs, host work: each as package / ours = ratio."""
    import timing
    import torch

    loops, host = {}, {THEIRS: [], OURS: []}
    for _ in range(rounds):
        for who in host:
            with movers.using(who == OURS) as calls:
                eager.client.step()
            host[who].append(calls[-1].microseconds)
    for who in host:
        with movers.using(who == OURS), timing.loops() as found:
            eager.client.step()
        loops[who] = found[0]
    products = {who: "" if loop.own_product else " (products by cuBLAS)" for who, loop in loops.items()}
    name = "loop" + products[THEIRS] + (products[OURS] if products[OURS] != products[THEIRS] else "")
    said = [compared(name, *timing.in_turns({who: loop.graph for who, loop in loops.items()}, rounds))]
    if graphs is not None:
        torch.cuda.synchronize()
        backward = {who: client.layer.graph_runner.entry.backward for who, client in graphs.clients.items()}
        said.append(compared("backward", *timing.in_turns(backward, rounds)))
    host_us = {who: statistics.median(each) for who, each in host.items()}
    said.append(compared("host", host_us, host_us[THEIRS] / host_us[OURS]))
    return said


def compared(name: str, microseconds: dict, ratio: float) -> str:
    return f"{name} {microseconds[THEIRS]:.1f} / {microseconds[OURS]:.1f} us = {ratio:.2f}x"


def run_all(wanted: list[shapes.Shape], chosen: argparse.Namespace) -> bool:
    """Whether all shapes are as they should be. After a fault of the device the rest runs in a process of its own."""
    import sparse_delta_memory
    import torch

    good = True
    for number, shape in enumerate(wanted):
        start = time.time()
        try:
            faults, said = run_shape(shape.quick() if chosen.quick else shape, chosen)
        except sparse_delta_memory.UnsupportedConfigurationError as error:
            print(f"{shape.name}: refused by the package: {error}", flush=True)
            continue
        except Exception:
            lines = [line for line in traceback.format_exc().splitlines() if line.strip(" ^~")]
            faults, said = ["failed"], []
            print("  " + "\n  ".join(lines[-chosen.lines :]))
        good &= not faults
        print(f"{shape.name}: {'; '.join(['equal'] if not faults else faults[:1])}; {'; '.join([*said, f'{time.time() - start:.0f} s'])}")
        for fault in faults[1:]:
            print(f"  {fault}")
        sys.stdout.flush()
        try:
            sparse_delta_memory.reset_cuda_graphs()
            gc.collect()
            torch.cuda.synchronize()
            torch.cuda.empty_cache()
        except Exception as error:
            print(f"  the device is gone ({str(error).splitlines()[0]}): the rest in another process", flush=True)
            again([each.name for each in wanted[number + 1 :]], chosen)
            return False
    return good


def again(names: list[str], chosen: argparse.Namespace) -> None:
    """The same for some shapes, in a process of its own."""
    command = [sys.executable, str(pathlib.Path(__file__).parent), "--shapes", ",".join(names)]
    command += ["--rounds", str(chosen.rounds), "--lines", str(chosen.lines), "--cache", str(chosen.cache)]
    command += [f"--{name.replace('_', '-')}" for name in ("quick", "eager_only", "plain_blas") if getattr(chosen, name)]
    if names:
        subprocess.run(command, check=False)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--shapes", default="", help="names, comma-separated: " + ", ".join(shape.name for shape in shapes.SHAPES))
    add("--quick", action="store_true", help="two or three steps, few slots")
    add("--eager-only", action="store_true", help="without the package's CUDA graphs")
    add("--rounds", type=int, default=7, help="rounds of timing; 0: none")
    add("--lines", type=int, default=12, help="last lines of a traceback")
    add("--cache", type=pathlib.Path, default=pathlib.Path(platformdirs.user_cache_dir("sdm-client")), help="folder of what is built [default: the user's cache] (see TORCH_EXTENSIONS_DIR)")
    add("--build", action="store_true", help="build the package's extensions, all at once, before anything else")
    add("--build-only", action="store_true", help="and nothing else")
    add("--unpack", type=pathlib.Path, help="folder with an archive that --pack made: use it instead of building")
    add("--pack", type=pathlib.Path, help="folder for an archive of what was built, written behind the build and at the end")
    add("--plain-blas", action="store_true", help="leave the step loop's matrix product to cuBLAS where torch is older than 2.13")
    return parser.parse_args()


def main() -> int:
    chosen = arguments()
    extensions.folders(chosen.cache)
    if chosen.unpack:
        extensions.unpack(chosen.unpack)
    good = True
    if chosen.build or chosen.build_only:
        good = extensions.build()
        if chosen.pack:
            extensions.pack(chosen.pack)  # whatever becomes of the rest
    if good and not chosen.build_only:
        extensions.use_what_is_built()
        if not chosen.plain_blas:
            movers.use_matrix_kernel()
        names = [name for name in chosen.shapes.split(",") if name]
        known = {shape.name: shape for shape in shapes.SHAPES}
        good = run_all([known[name] for name in names] if names else list(shapes.SHAPES), chosen)
    if chosen.pack and not chosen.build_only:
        extensions.pack(chosen.pack)
    print("all equal" if good and not chosen.build_only else "built" if good else "NOT all equal", flush=True)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
