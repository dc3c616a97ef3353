"""Each fault that lanes report, planted in a small scheduled module: its kind, its operation and its line."""

import re
import struct

import numpy as np
import pytest

from sdm import _sdm

ROWS, WARPS = 4, 2
HEAD = f"""func.func @k(%x: !sdm.rows<?x128xf32> {{sdm.name = "x"}}, %y: !sdm.rows<?x128xf32> {{sdm.name = "y"}},
    %c: !sdm.cells<?xf32> {{sdm.name = "c"}}) attributes {{sdm.launch = #sdm.launch<rows, operand = 0, slices = 1, warps = {WARPS}>}} {{
  %chunk, %slice, %begin, %end = sdm.tile %x : !sdm.rows<?x128xf32>
  sdm.dependency_wait
  %true = arith.constant true
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %c8 = arith.constant 8 : i32
  %c16 = arith.constant 16 : i32
  %c128 = arith.constant 128 : i32
  %c512 = arith.constant 512 : i32
  %c1024 = arith.constant 1024 : i32
  %lane = sdm.lane
  %warp = sdm.warp
  %at = arith.muli %lane, %c16 : i32
  %first = arith.cmpi eq, %lane, %c0 : i32
  %first_warp = arith.cmpi eq, %warp, %c0 : i32
  %offset = arith.muli %warp, %c512 : i32
  %mine = arith.addi %offset, %c128 : i32
  %to = arith.addi %mine, %at : i32
  %slab = sdm.slab_at %mine : !sdm.slab<1x128xf32>
  %leader = arith.andi %first, %first_warp : i1
"""
TAIL = "  return\n}\n"

# Pieces of programs. COPY: row `warp` to this warp's slab, lane by lane; TAKE: the row back into y.
COPY = "sdm.copy_async %x[%warp] at %at to %to {bytes = 16 : i64} : !sdm.rows<?x128xf32> [i32]\n"
COMMIT, WAIT, MEET, MEET_ALL = "sdm.commit\n", "sdm.wait_group 0\n", "sdm.warp_barrier\n", "sdm.cta_barrier\n"
TAKE = """%row = sdm.take_piece %slab[%c0] {width = 128 : i64} : !sdm.slab<1x128xf32> [i32] -> vector<1x4xf32>
sdm.store_piece %row, %y[%warp] : vector<1x4xf32>, !sdm.rows<?x128xf32> [i32]
"""
# A lane's piece lands where its neighbour reads.
CROSSED = """%next = arith.xori %lane, %c1 : i32
%other = arith.muli %next, %c16 : i32
%there = arith.addi %mine, %other : i32
sdm.copy_async %x[%warp] at %other to %there {bytes = 16 : i64} : !sdm.rows<?x128xf32> [i32]
"""
AGAIN = CROSSED.splitlines(keepends=True)[-1]
# The other warp's slab.
FOREIGN = """%theirs = arith.subi %c512, %offset : i32
%foreign = arith.addi %theirs, %c128 : i32
%slab2 = sdm.slab_at %foreign : !sdm.slab<1x128xf32>
%row = sdm.take_piece %slab2[%c0] {width = 128 : i64} : !sdm.slab<1x128xf32> [i32] -> vector<1x4xf32>
sdm.store_piece %row, %y[%warp] : vector<1x4xf32>, !sdm.rows<?x128xf32> [i32]
"""
INIT = "scf.if %leader {\n  sdm.barrier_init %c0\n  sdm.expect_tx %c0, %c1024\n}\n"
BULK = """scf.if %first {
  sdm.copy_bulk %x[%warp] at %c0 to %mine bytes %c512 reports %c0 : !sdm.rows<?x128xf32> [i32]
}
"""
WAIT_PHASE = "sdm.wait_parity %c0, %c0\n"
TWICE = INIT.replace("barrier_init %c0", "barrier_init %c0 arrivals 2")
BOTH = "scf.if %first {\n  sdm.expect_tx %c0, %c512\n}\n"
STORE = "sdm.store_cell %one, %c[%warp] where %first : f32, !sdm.cells<?xf32> [i32]\n"


def run(body: str, *, seed=0, late=True, shared=1152, rows=ROWS, offset=0, early=()):
    """Faults of one CTA; x holds rows of their numbers."""
    module = _sdm.Module.parse(HEAD + body + TAIL, "planted.mlir")
    raw = np.zeros(rows * 512 + 64, np.uint8)
    x = raw[-raw.ctypes.data % 64 + offset :][: rows * 512].view(np.float32).reshape(rows, 128)
    x[:] = np.arange(rows)[:, None]
    y, c = np.zeros((rows, 128), np.float32), np.zeros(8, np.float32)
    arguments = [x.ctypes.data, 512, rows, y.ctypes.data, 512, rows, c.ctypes.data, 4, 8, 0, 1, 1, WARPS]
    report = _sdm.run_on_lanes(
        module, "k", struct.pack("<13q", *arguments), seed=seed, late=late, shared_bytes=shared, early=list(early), most_faults=8
    )
    return report["faults"], y, c


GOOD = {
    "copied": COPY + COMMIT + WAIT + TAKE,
    "crossed": CROSSED + COMMIT + WAIT + MEET + TAKE,
    "foreign": COPY + COMMIT + WAIT + MEET_ALL + FOREIGN,
    "bulk by two": "scf.if %leader {\n  sdm.barrier_init %c0 arrivals 2\n}\n" + MEET_ALL + BOTH + BULK + WAIT_PHASE + TAKE,
    "bulk": INIT + MEET_ALL + BULK + WAIT_PHASE + TAKE,
    "refilled": CROSSED + COMMIT + WAIT + MEET + TAKE + MEET + AGAIN + COMMIT + WAIT,
    "cells": STORE,
    "pending": COPY + COMMIT + COMMIT + "sdm.wait_group 1\n" + TAKE + WAIT,
}


@pytest.mark.parametrize("name", GOOD)
@pytest.mark.parametrize("seed", range(4))
def test_nothing_is_reported_where_nothing_is_wrong(name, seed):
    faults, y, _ = run(GOOD[name], seed=seed, late=seed % 2 == 0)
    assert not faults
    if name not in ("cells",):
        want = [1, 0] if name == "foreign" else [0, 1]
        assert (y[:2] == np.array(want, np.float32)[:, None]).all()


LOOP = """%n = scf.while (%i = %lane) : (i32) -> i32 {
  %more = arith.cmpi slt, %i, %c4 : i32
  scf.condition(%more) %i : i32
} do {
^bb0(%i: i32):
  %j = arith.addi %i, %c1 : i32
  scf.yield %j : i32
}
"""


def announcing(count: int) -> str:
    return f"%count = arith.constant {count} : i32\n" + INIT.replace("%c1024", "%count")


# kind, the operation that is blamed, program, options of run
FAULTS = {
    "no wait": ("in flight", "sdm.take_piece", COPY + COMMIT + TAKE + WAIT, {}),
    "no commit": ("in flight", "sdm.take_piece", COPY + WAIT + TAKE + COMMIT + WAIT, {}),
    "one group too few": ("in flight", "sdm.take_piece", COPY + COMMIT + "sdm.wait_group 1\n" + TAKE + WAIT, {}),
    "no warp barrier": ("unordered read", "sdm.take_piece", CROSSED + COMMIT + WAIT + TAKE, {}),
    "an exchange is no barrier": ("unordered read", "sdm.take_piece", CROSSED + COMMIT + WAIT + "%e = sdm.exchange %one, 1\n" + TAKE, {}),
    "no CTA barrier": ("unordered read", "sdm.take_piece", COPY + COMMIT + WAIT + MEET + FOREIGN, {}),
    "refilled while read": ("refill", "sdm.copy_async", CROSSED + COMMIT + WAIT + MEET + TAKE + AGAIN + COMMIT + WAIT, {}),
    "written twice": ("unordered write", "sdm.copy_async", CROSSED + COMMIT + WAIT + COPY + COMMIT + WAIT, {}),
    "copied over a copy": ("in flight", "sdm.copy_async", COPY + CROSSED + COMMIT + WAIT, {}),
    "never written": ("never written", "sdm.take_piece", TAKE, {}),
    "never asked for": (
        "never read", "sdm.load_piece",
        "%no = arith.cmpi ne, %c0, %c0 : i32\n%row = sdm.load_piece %x[%c0] where %no : !sdm.rows<?x128xf32> [i32] -> vector<1x4xf32>\n"
        + TAKE.splitlines(keepends=True)[1], {},
    ),
    "past the shared memory": ("out of bounds", "sdm.copy_async", COPY + COMMIT + WAIT, {"shared": 1024}),
    "past the rows": ("out of bounds", "sdm.load_piece", "%r = sdm.load_piece %x[%c4] : !sdm.rows<?x128xf32> [i32] -> vector<1x4xf32>\n", {}),
    "past the cells": ("out of bounds", "sdm.store_cell", "sdm.store_cell %one, %c[%c8] where %leader : f32, !sdm.cells<?xf32> [i32]\n", {}),
    "past the row": (
        "out of bounds", "sdm.copy_async",
        "sdm.copy_async %x[%warp] at %to to %to {bytes = 16 : i64} : !sdm.rows<?x128xf32> [i32]\n" + COMMIT + WAIT, {},
    ),
    "misaligned source": ("misaligned", "sdm.copy_async", COPY + COMMIT + WAIT, {"offset": 8}),
    "misaligned row": ("misaligned", "sdm.load_piece", "%r = sdm.load_piece %x[%c0] : !sdm.rows<?x128xf32> [i32] -> vector<1x4xf32>\n", {"offset": 4}),
    "no mask": ("two writers", "sdm.store_cell", "sdm.store_cell %one, %c[%warp] : f32, !sdm.cells<?xf32> [i32]\n", {}),
    "two warps": ("two writers", "sdm.store_cell", "sdm.store_cell %one, %c[%c0] where %first : f32, !sdm.cells<?xf32> [i32]\n", {}),
    "written elsewhere": (
        "global race", None,
        STORE + "%o = arith.xori %warp, %c1 : i32\n%v = sdm.load_cell %c[%o] : !sdm.cells<?xf32> [i32] -> f32\n", {},
    ),
    "source written": (
        "source written", "sdm.copy_async",
        "sdm.copy_async %y[%warp] at %at to %to {bytes = 16 : i64} : !sdm.rows<?x128xf32> [i32]\n" + COMMIT
        + "%v = vector.broadcast %one : f32 to vector<1x4xf32>\n"
        + "sdm.store_piece %v, %y[%warp] : vector<1x4xf32>, !sdm.rows<?x128xf32> [i32]\n" + WAIT, {},
    ),
    "copies left": ("copies left", "sdm.copy_async", COPY + COMMIT, {}),
    "bulk left": ("copies left", "sdm.copy_bulk", INIT + MEET_ALL + BULK, {}),
    "a warp stays away": ("missing barrier", "sdm.cta_barrier", "scf.if %first_warp {\n" + MEET_ALL + "}\n", {}),
    "part of a warp at a barrier": ("partial warp", "sdm.warp_barrier", "scf.if %first {\n" + MEET + "}\n", {}),
    "part of a warp in an exchange": ("partial warp", "sdm.exchange", "scf.if %first {\n  %e = sdm.exchange %one, 1\n}\n", {}),
    "a loop that lanes leave apart": ("divergent control flow", "scf.while", LOOP, {}),
    "no initialisation": ("no barrier", "sdm.copy_bulk", BULK, {}),
    "initialisation unseen": ("no barrier", None, INIT + BULK + WAIT_PHASE, {}),
    "nobody waits for bulk": ("in flight", "sdm.take_piece", INIT + MEET_ALL + BULK + TAKE + WAIT_PHASE, {}),
    "too many bytes announced": ("deadlock", "sdm.wait_parity", announcing(1040) + MEET_ALL + BULK + WAIT_PHASE, {}),
    "too few bytes announced": ("wrong bytes", "sdm.expect_tx", announcing(528) + MEET_ALL + BULK + WAIT_PHASE + MEET_ALL, {}),
    "one copy not announced": ("copies left", "sdm.copy_bulk", announcing(512) + MEET_ALL + BULK + WAIT_PHASE, {}),
    "nobody arrives": ("deadlock", "sdm.wait_parity", "scf.if %leader {\n  sdm.barrier_init %c0\n}\n" + MEET_ALL + WAIT_PHASE, {}),
    "one arrival too few": ("deadlock", "sdm.wait_parity", TWICE + MEET_ALL + BULK + WAIT_PHASE, {}),
    "one arrival too many": ("wrong bytes", "sdm.expect_tx", INIT + MEET_ALL + BOTH + BULK + WAIT_PHASE, {}),
    "a copy over a barrier": ("unordered read", "sdm.copy_bulk", INIT + MEET_ALL + BULK.replace("to %mine", "to %c0") + WAIT_PHASE, {}),
    "a division by zero": ("arithmetic", "arith.divsi", "%q = arith.divsi %c1, %c0 : i32\n", {}),
    "no such operation": ("unsupported", "math.exp", "%q = math.exp %one : f32\n", {}),
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
@pytest.mark.parametrize("seed", (0, 1))
def test_planted(name, seed):
    kind, operation, body, options = FAULTS[name]
    faults, _, _ = run(body, seed=seed, late=seed == 0, **options)
    assert kind in [found for found, _, _, _ in faults], faults
    found, message, text, sites = next(fault for fault in faults if fault[0] == kind)
    if operation:
        assert operation in text
    assert message.startswith("expected ") and ", got " in message and not message.endswith(".")
    file, line, _ = sites[0]
    assert file == "planted.mlir" and re.search(r"\b[a-z]+\.[a-z_]+", text)[0] in (HEAD + body).splitlines()[line - 1]


def test_nothing_survives_a_cta():
    """The second CTA finds shared memory as if nobody had been there."""
    module = _sdm.Module.parse(HEAD.replace("%first_warp = arith.cmpi eq, %warp, %c0", "%first_warp = arith.cmpi eq, %begin, %c0")
                               + "scf.if %first_warp {\n" + COPY + COMMIT + WAIT + "}\n" + TAKE + TAIL)  # fmt: skip
    x, y, c = np.zeros((8, 128), np.float32), np.zeros((8, 128), np.float32), np.zeros(8, np.float32)
    arguments = [x.ctypes.data, 512, 8, y.ctypes.data, 512, 8, c.ctypes.data, 4, 8, 0, 1, 1, 2 * WARPS]
    report = _sdm.run_on_lanes(module, "k", struct.pack("<13q", *arguments), shared_bytes=1152)
    assert report["faults"][0][0] == "never written"


def test_memory_before_the_dependency_wait():
    early = HEAD.replace("  sdm.dependency_wait\n", "") + "%r = sdm.load_piece %x[%c0] : !sdm.rows<?x128xf32> [i32] -> vector<1x4xf32>\nsdm.dependency_wait\n"
    module = _sdm.Module.parse(early + TAIL)
    x = np.zeros((4, 128), np.float32)
    arguments = struct.pack("<13q", x.ctypes.data, 512, 4, x.ctypes.data, 512, 4, x.ctypes.data, 4, 8, 0, 1, 1, WARPS)
    assert _sdm.run_on_lanes(module, "k", arguments)["faults"][0][0] == "too early"
    assert not _sdm.run_on_lanes(module, "k", arguments, early=[0])["faults"]


@pytest.mark.parametrize("change", ({"arguments": b"\0" * 8}, {"entry": "other"}))
def test_a_launch_that_does_not_fit(change):
    module = _sdm.Module.parse(HEAD + TAIL)
    given = {"entry": "k", "arguments": b"\0" * 104, **change}
    assert _sdm.run_on_lanes(module, given["entry"], given["arguments"])["faults"][0][0] == "unsupported"
