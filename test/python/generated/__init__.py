"""Random kernels from a seed: their text, their operands, what they mean in numpy, and the schedules that they are run under."""
