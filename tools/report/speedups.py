"""Speedups over a baseline, by model and campaign: what the reports of pytorch/xla's aggregate.py are made of.

    found = speedups.of(points, Options(backends=["eager", "torchscript"], baseline="oldest"))
    models = speedups.by_model(found)          # of each campaign, machine and back end: geometric mean over batch sizes
    means = speedups.over_models(models)       # and over models, the same ones for each back end of a campaign and machine

The baseline of a workload is a run of the first back end on the same machine: the oldest one, the one of the last campaign, or the
last one of a commit, torch version or suite's run. A ratio of two machines' times is made only where Selection.across gave both
one place.
"""

from typing import NamedTuple

import numpy as np

from tools.report import estimates, tables
from tools.results.errors import SURROUNDINGS, USAGE, Stop

OLDEST, LATEST = "oldest", "latest"
_SHORTEST_COMMIT = 7
_TITLES = {
    "inductor": "Inductor",
    "openxla+dynamo": "XLA+Dynamo",
    "openxla_eval+dynamo": "XLA_Eval+Dynamo",
    "openxla+lazytensor": "XLA+LazyTensor",
}


_FIRST = ("eager", "inductor")  # whose runs are the baseline if nothing else is asked for


class Options(NamedTuple):
    backends: tuple = ()  # the first is the baseline's; empty: all that there are
    baseline: str = OLDEST
    metric: str = "exec"  # or "compile", of points.compiling()
    each: bool = False  # reports of the last campaign take each configuration's own last run


class Speedups(NamedTuple):
    points: object  # those that have a speedup
    estimates: object
    backends: list  # numbers, the baseline's first
    titles: list
    base_title: str
    notes: list


def title(backend):
    return _TITLES.get(backend, backend)


def chosen_backends(points, asked):
    """Numbers of back ends, the baseline's first; Stop for a name that there is not."""
    there = points.backends
    if asked:
        for name in asked:
            if name.lower() not in there:
                raise Stop(USAGE, "--backends: there is no run of %.80r; there are %s" % (name, ", ".join(sorted(there))))
        return [there.index(name.lower()) for name in dict.fromkeys(asked)]
    measured = {there[b] for b in np.unique(points.backend[points.usable])}
    first = [name for name in _FIRST if name in measured][:1]
    return [there.index(name) for name in first + sorted(set(there) - set(first))]


def of(points, options):
    """Stop where no workload has a baseline."""
    backends = chosen_backends(points, options.backends)
    last = points.last_of_each()
    last = last.chosen(np.isin(last.backend, backends))
    usable = last.chosen(last.usable)
    times = usable.estimates
    candidates = _candidates(usable, backends[0], options.baseline)
    if not len(candidates):
        raise Stop(SURROUNDINGS, _no_baseline(points, last, backends[0], options))
    order = np.argsort(usable.campaign[candidates], kind="stable")
    wanted_last = candidates[order[::-1] if options.baseline == OLDEST else order]
    base = np.full((len(usable.workloads), len(usable.places)), -1)
    base[usable.workload[wanted_last], usable.place[wanted_last]] = wanted_last
    base = base[usable.workload, usable.place]
    has = base >= 0
    found = estimates.ratio(times[base[has]], times[has])
    notes = []
    if not has.all():
        notes.append("without a baseline of the same workload on the same machine: %d runs" % (~has).sum())
    named = options.baseline.capitalize() if options.baseline in (OLDEST, LATEST) else options.baseline
    base_title = "%s %s" % (named, title(points.backends[backends[0]]))
    chosen = usable.chosen(has)
    present = [b for b in backends if (chosen.backend == b).any()]
    return Speedups(chosen, found, present, [title(points.backends[b]) for b in present], base_title, notes)


def _candidates(usable, backend, baseline):
    mine = np.flatnonzero(usable.backend == backend)
    if baseline == OLDEST:
        return mine
    if baseline == LATEST:
        last = np.full(len(usable.places), -1)
        np.maximum.at(last, usable.place, usable.campaign)
        return mine[usable.campaign[mine] == last[usable.place[mine]]]
    named = np.array([_is_named(campaign, baseline) for campaign in usable.campaigns], bool)
    return mine[named[usable.campaign[mine]]]


def _is_named(campaign, name):
    of_commit = len(name) >= _SHORTEST_COMMIT and campaign.commit.startswith(name)
    return of_commit or name in (campaign.torch_version, campaign.key, campaign.moment)


def _no_baseline(points, last, backend, options):
    name = points.backends[backend]
    of_it = last.chosen(last.backend == backend)
    if options.baseline not in (OLDEST, LATEST) and not any(_is_named(c, options.baseline) for c in points.campaigns):
        shown = ["%s (commit %s, torch %s)" % (c.key, c.commit[:8] or "-", c.torch_version or "-") for c in points.campaigns[-5:]]
        return "--baseline=%s: no campaign has this commit, torch version or name; the last ones: %s" % (
            options.baseline,
            "; ".join(shown),
        )
    if not len(of_it):
        return "no baseline: no run of the back end %s; --backends=NAME,... begins with the baseline's: %s" % (
            name,
            ", ".join(sorted(points.backends)),
        )
    why = tables.reasons(of_it.left_out() or {"of other campaigns": len(of_it)})
    return "no baseline: none of the runs of the back end %s may be one %s" % (name, why)


class ByModel(NamedTuple):
    """Arrays with an entry for each campaign, machine, back end and model."""

    campaign: np.ndarray
    place: np.ndarray
    backend: np.ndarray
    model: np.ndarray
    names: list  # of models
    estimates: object

    def chosen(self, mask):
        four = (part[mask] for part in (self.campaign, self.place, self.backend, self.model))
        return ByModel(*four, self.names, self.estimates[mask])


def by_model(found):
    """Geometric means over the workloads of a model: batch sizes, data types."""
    points = found.points
    models, numbers = _models(points)
    keys = np.stack([points.campaign, points.place, points.backend, numbers[points.workload]])
    groups, which = np.unique(keys, axis=1, return_inverse=True)
    means = estimates.geometric_means(found.estimates, which.ravel(), groups.shape[1])
    return ByModel(*groups, models, means)


def _models(points):
    """Names, and of each workload its model's number; what differs beside the model's name is told where there are several."""
    used = [points.workloads[i] for i in np.unique(points.workload)]
    suites, tests = len({w.suite for w in used}) > 1, len({w.test for w in used}) > 1
    known, numbers = {}, []
    for w in points.workloads:
        name = ("%s: " % w.suite if suites else "") + w.model + (" (%s)" % w.test if tests and w.test != "inference" else "")
        numbers.append(known.setdefault(name, len(known)))
    return list(known), np.array(numbers, int)


def same_models(models):
    """Whether every back end of an entry's campaign and machine has its model, for each entry."""
    place = np.stack([models.campaign, models.place])
    _, where = np.unique(place, axis=1, return_inverse=True)
    where = where.ravel()
    pairs = np.unique(np.stack([where, models.backend]), axis=1)
    present = np.bincount(pairs[0], minlength=where.max(initial=0) + 1)
    _, with_model, counts = np.unique(np.stack([where, models.model]), axis=1, return_inverse=True, return_counts=True)
    return counts[with_model.ravel()] == present[where]


class Means(NamedTuple):
    """Arrays with an entry for each campaign, machine and back end."""

    campaign: np.ndarray
    place: np.ndarray
    backend: np.ndarray
    count: np.ndarray  # of models
    estimates: object


def over_models(models):
    """Geometric means over the models that every back end of the campaign has on the machine; NaN where there is none."""
    keys = np.stack([models.campaign, models.place, models.backend])
    groups, which = np.unique(keys, axis=1, return_inverse=True)
    same, which = same_models(models), which.ravel()
    count = groups.shape[1]
    means = estimates.geometric_means(models.estimates[same], which[same], count)
    return Means(*groups, np.bincount(which[same], minlength=count), means)


def of_last_campaign(models, points, each):
    """The entries of each machine and back end's last campaign; `each`: of each model's last one."""
    group = [models.place, models.backend] + ([models.model] if each else [])
    _, which = np.unique(np.stack(group), axis=1, return_inverse=True)
    which = which.ravel()
    last = np.full(which.max(initial=0) + 1, -1)
    np.maximum.at(last, which, models.campaign)
    return models.chosen(models.campaign == last[which])
