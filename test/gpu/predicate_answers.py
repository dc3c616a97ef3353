"""Writes what the hand-written mover's predicates answer to the cases of test/python/predicate_cases.py.

Needs torch, the folder of `seedref` on PYTHONPATH and GDS_REFERENCE, as the comparison of the two movers does; no GPU: devices are described.

  python test/gpu/predicate_answers.py           writes test/python/predicate_answers.npz
  python test/gpu/predicate_answers.py --check   exit status 1 when the file holds other answers
"""

import dataclasses
import math
import pathlib
import sys
import types

import numpy as np
import torch

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "python"))

import predicate_cases as cases  # noqa: E402

TYPES = {"bf16": torch.bfloat16, "f32": torch.float32, "f16": torch.float16, "f64": torch.float64, "i32": torch.int32, "i64": torch.int64}


@dataclasses.dataclass(frozen=True)
class Described:
    """What the predicates ask of a tensor, without memory behind it. strides in elements."""

    dtype: object
    shape: tuple
    strides: tuple = ()
    address: int = 4096
    device: object = "cpu"

    @property
    def is_cuda(self):
        return str(self.device) != "cpu"

    def dim(self):
        return len(self.shape)

    def numel(self):
        return math.prod(self.shape)

    def data_ptr(self):
        return self.address

    def is_contiguous(self):
        """As torch says it: strides of axes with one index do not count, nor any where there are no elements."""
        step = 1
        for extent, stride in zip(reversed(self.shape), reversed(self.strides)):
            if extent != 1 and stride != step:
                return not self.numel()
            step *= extent
        return True


def described(device="cpu"):
    return lambda dtype, shape, strides=(), address=4096: Described(TYPES[dtype], shape, strides, address, device)


def reference():
    """The hand-written mover, with described tensors taken for tensors."""
    import seedref

    module = seedref.load()
    module.torch = types.SimpleNamespace(**{name: getattr(torch, name) for name in ("bfloat16", "float32", "int32")}, is_tensor=lambda t: isinstance(t, Described))
    return module


def describe_devices(module) -> None:
    """Lets the module see the cases' GPUs, by name."""

    def backend(device):
        major = cases.GPUS[device][0]
        if major < 8:
            raise RuntimeError(device)
        return "modern" if major in (9, 10) else "a100" if major == 8 else "rtx"

    module.backend = backend
    module.cuda_backend = lambda device: cases.GPUS[device][0] >= 8
    module.capability = lambda device: cases.GPUS[device][:2]
    module.num_sms = lambda device=None: 132  # no answer depends on it
    module.da2._smem_limit = lambda device: cases.GPUS[device][2]


def main() -> int:
    module = reference()
    describe_devices(module)
    answers = cases.anywhere(module, described(), TYPES.get, described())
    for name in (*cases.GPUS, "cpu"):
        found = cases.on_device(module, described(name), TYPES.get)
        answers |= {f"{question}.{name}": bits for question, bits in found.items()}
    if "--check" not in sys.argv[1:]:
        np.savez_compressed(cases.KEPT, **answers)
        return 0
    kept = np.load(cases.KEPT)
    other = [name for name in answers if name not in kept or not np.array_equal(kept[name], answers[name])]
    print("\n".join(f"{name}: other answers than the file's" for name in other))
    return 1 if other else 0


if __name__ == "__main__":
    sys.exit(main())
