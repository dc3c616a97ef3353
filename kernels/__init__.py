"""Kernels written in the language, one file each: the kernel, the record layouts it is used with, default operand types."""
