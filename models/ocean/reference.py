"""Two programs of an ocean model in torch functions, from their formulas: a neighbour is a rolled array, a column's equations are
one matrix. What lies beyond an edge rolls in at the other one, where a mask or the choice of cells leaves it out.

Both give the values of pyhpc-benchmarks' PyTorch code, for the same inputs in float64: the rms difference is 1e-16
of each output's standard deviation.
"""

import torch
from torch import nn

X, Y, Z = 1, 2, 3
_SPACES = {"x": X, "y": Y, "z": Z}
_EPSILON = 1e-20


def provenance():
    return "torch functions %s" % torch.__version__.split("+")[0]


class _Program(nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, inputs):
        return self.function(**inputs)


def build(parameters):
    return _Program({"isoneutral_mixing": isoneutral_mixing, "turbulent_kinetic_energy": turbulent_kinetic_energy}[parameters["program"]])


def forward(module, inputs):
    return module(inputs)


def _along(axis, *arrays):
    """(grids, n) -> (grids, n at `axis`, 1 elsewhere)."""
    shape = [1, 1, 1]
    shape[axis - 1] = -1
    return [a.reshape(a.shape[0], *shape) for a in arrays]


def _next(array, axis, by=1):
    return torch.roll(array, -by, axis)


def _places(array, axis, first, beyond_last):
    """Whether a cell's place on the axis is one of first .. last; the latter counts from the end, as in slices."""
    n = array.shape[axis]
    at = torch.arange(n, device=array.device)
    return _along(axis, ((at >= first) & (at < n + beyond_last))[None])[0]


def _gradient(field, axis, mask, distance):
    return torch.where(_places(field, axis, 0, -1), mask * (_next(field, axis) - field) / distance, 0.0)


# Griffies et al. (1998), as MOM and Veros compute them.


def _slope(across, down):
    return -across / (down.clamp(max=0.0) - _EPSILON)


def _taper(slope):
    return 0.5 * (1 + torch.tanh((1e-3 - slope.abs()) / 1e-3))


def isoneutral_mixing(
    maskT, maskU, maskV, maskW, dxt, dxu, dyt, dyu, dzt, dzw, cost, cosu, salt, temp, zt, K_iso, K_11, K_22, K_33, Ai_ez, Ai_nz, Ai_bx, Ai_by
):
    dxt, dxu = _along(X, dxt, dxu)
    dyt, dyu, cost, cosu = _along(Y, dyt, dyu, cost, cosu)
    dzt, dzw, zt = _along(Z, dzt, dzw, zt)
    density, gravity = 1024.0, 9.81
    by_temperature = 1e-5 * (temp[..., 0] - (283.0 - 273.15)) + 1.67e-4 * (1 + 1.1e-8 * gravity * density * zt.abs())
    effects = {"T": maskT * -by_temperature * density, "S": maskT * 0.78e-3 * density}
    spaces = {X: (maskU, dxu * cost), Y: (maskV, dyu), Z: (maskW, dzw)}
    gradients = {
        axis: {name: _gradient(field[..., 0], axis, *space) for name, field in (("T", temp), ("S", salt))}
        for axis, space in spaces.items()
    }

    def density_gradient(cell, axis, of):
        return sum(cell(effects[name]) * of(gradients[axis][name]) for name in "TS")

    inside = {axis: _places(K_iso, axis, 2, -2) for axis in (X, Y)}
    faces = []
    for axis, other, mask, matrix in ((X, Y, maskU, Ai_ez), (Y, X, maskV, Ai_nz)):
        here = _places(K_iso, axis, 1, -2) & inside[other]
        beside = (K_iso + _next(K_iso, axis)) / 2
        mixing = torch.where(_places(K_iso, Z, 1, 0), (beside + _next(beside, Z, -1)) / 2, beside)
        total, matrix = torch.zeros_like(K_iso), matrix.clone()
        for upper in (0, 1):
            valid = here & _places(K_iso, Z, 1 - upper, 0)
            for side in (0, 1):
                cell = lambda array, axis=axis, side=side: _next(array, axis, side)
                across = density_gradient(cell, axis, lambda g: g)
                down = density_gradient(cell, Z, lambda g, cell=cell, upper=upper: _next(cell(g), Z, upper - 1))
                slope = _slope(across, down)
                taper = _taper(slope)
                weighed = _next(dzw, Z, upper - 1) * mask * (mixing * taper).clamp(min=50.0)
                total = total + torch.where(valid, weighed, 0.0)
                matrix[..., side, upper] = torch.where(valid, taper * slope * mask, matrix[..., side, upper])
        faces.append((torch.where(here, total / (4 * dzt), K_11 if axis == X else K_22), matrix))

    here = inside[X] & inside[Y]
    above = here & _places(K_iso, Z, 0, -1)
    sums, tops = [], []
    for axis, matrix, weight in ((X, Ai_bx, dxu), (Y, Ai_by, cosu * dyu)):
        total, matrix = torch.zeros_like(K_iso), matrix.clone()
        for upper in (0, 1):
            cell = lambda array, upper=upper: _next(array, Z, upper)
            down = density_gradient(cell, Z, lambda g: g)
            for side in (0, 1):
                across = density_gradient(cell, axis, lambda g, cell=cell, axis=axis, side=side: _next(cell(g), axis, side - 1))
                slope = _slope(across, down)
                taper = _taper(slope)
                total = total + _next(weight, axis, side - 1) * K_iso * taper * slope.square() * maskW
                matrix[..., side, upper] = torch.where(above, taper * slope * maskW, matrix[..., side, upper])
        sums.append(total)
        tops.append(matrix)
    vertical = torch.where(above, sums[0] / (4 * dxt) + sums[1] / (4 * dyt * cost), torch.where(here, 0.0, K_33))
    return {
        "K_11": faces[0][0],
        "K_22": faces[1][0],
        "K_33": vertical,
        "Ai_ez": faces[0][1],
        "Ai_nz": faces[1][1],
        "Ai_bx": tops[0],
        "Ai_by": tops[1],
    }


# Gaspar et al. (1990), as Veros computes it.


def _superbee(velocity, energy, water, axis, distance, factor=1.0):
    """The flow through each cell's far face in a second (Roe 1985)."""
    mask = torch.where(_places(water, axis, 0, -1), _next(water, axis) * water, 0.0)
    step = (_next(energy, axis) - energy) * mask
    upwind = torch.where(velocity > 0, _next(step, axis, -1), _next(step, axis))
    ratio = upwind / torch.where(step.abs() < _EPSILON, _EPSILON, step)
    limit = torch.maximum((2 * ratio).clamp(max=1), ratio.clamp(max=2)).clamp(min=0)
    flow = factor * velocity
    courant = (flow / distance).abs()
    return flow * (_next(energy, axis) + energy) / 2 - flow.abs() * (1 - limit + courant * limit) * step / 2


def turbulent_kinetic_energy(
    u, v, w, maskU, maskV, maskW, dxt, dxu, dyt, dyu, dzt, dzw, cost, cosu, kbot, kappaM, mxl, forc, forc_tke_surface, tke, dtke
):
    dxt, dxu = _along(X, dxt, dxu)
    dyt, dyu, cost, cosu = _along(Y, dyt, dyu, cost, cosu)
    dzt, dzw = _along(Z, dzt, dzw)
    now, new, before = tke.unbind(-1)
    inside = _places(now, X, 2, -2) & _places(now, Y, 2, -2)
    surface = ~_places(now, Z, 0, -1)
    height = torch.where(surface, dzw / 2, dzw)

    # Diffusion and dissipation in each column: one matrix.
    between = torch.where(surface, 0.0, (kappaM + _next(kappaM, Z)) / 2 / _next(dzt, Z))
    decay = 0.7 * now.clamp(min=0).sqrt() / mxl
    level = torch.arange(now.shape[Z], device=now.device)
    floor = (kbot - 1)[..., None]
    water = (floor >= 0) & (level >= floor)
    to_upper = torch.where(water & ~surface, -between / height, 0.0)
    to_lower = torch.where(water & (level != floor) & (level > 0), -_next(between, Z, -1) / height, 0.0)
    columns = torch.diag_embed(torch.where(water, 1 + decay - to_lower - to_upper, 1.0))
    columns = columns + torch.diag_embed(to_upper[..., :-1], 1) + torch.diag_embed(to_lower[..., 1:], -1)
    given = now + forc + torch.where(surface, forc_tke_surface[..., None] / height, 0.0)
    solved = torch.linalg.solve(columns, torch.where(water, given, 0.0)[..., None])[..., 0]
    new = torch.where(inside & water, solved, new)

    negative = inside & surface & (new < 0)
    correction = torch.where(negative, -new * dzw / 2, 0.0)[..., -1]
    new = torch.where(negative, 0.0, new)

    def convergence(east, north):
        return (east - _next(east, X, -1)) / (cost * dxt) + (north - _next(north, Y, -1)) / (cost * dyt)

    diffused = convergence(
        2000.0 * _gradient(now, X, maskU, cost * dxu),
        2000.0 * _gradient(now, Y, maskV, dyu) * cosu,
    )
    new = torch.where(inside, new + maskW * diffused, new)

    east = _superbee(u[..., 0], now, maskW, X, cost * dxt)
    east = torch.where(_places(now, X, 1, -2) & _places(now, Y, 2, -2), east, 0.0)
    north = _superbee(v[..., 0], now, maskW, Y, cost * dyt, factor=cosu)
    north = torch.where(_places(now, X, 2, -2) & _places(now, Y, 1, -2), north, 0.0)
    top = torch.where(inside & ~surface, _superbee(w[..., 0], now, maskW, Z, dzw), 0.0)
    change = torch.where(inside, -maskW * convergence(east, north), dtke[..., 0])
    change = change - (top - torch.where(_places(now, Z, 1, 0), _next(top, Z, -1), 0.0)) / height
    new = new + 1.6 * change - 0.6 * dtke[..., 2]
    return {
        "tke": torch.stack([now, new, before], -1),
        "dtke": torch.stack([change, dtke[..., 1], dtke[..., 2]], -1),
        "tke_surf_corr": correction,
    }
