"""RMS norm of every row: y = x / sqrt(mean(x * x) + eps) * weight. No records: whole rows, each by itself."""

import sdm
import sdm.language as sl

DEFAULTS = {"x": "rows:f32:128", "weight": "rows:f32:128", "y": "rows:f32:128", "eps": "f32"}


@sdm.kernel(defaults=DEFAULTS)
def rms_norm(
    x: sl.Rows,  # [rows, width]
    weight: sl.Rows,  # [1, width]
    y: sl.Rows,  # [rows, width]
    eps: sl.f32 = 1e-6,
):
    for row in sl.rows(x):
        v = x[row]
        ms = sl.dot(v, v) / x.width
        r = 1.0 / sl.sqrt(ms + eps)
        y[row] = v * r * weight[0]


__all__ = ["DEFAULTS", "rms_norm"]
