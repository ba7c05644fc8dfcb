"""The reports of pytorch/xla's aggregate.py, with its columns: latest, latest_grouped, histogram, speedup.

    table = trends.REPORTS["latest"](points, speedups.Options())

Added columns stand behind those: the limits of 95 % intervals, and how many models a mean has. Numbers are rounded to 8
digits, as there. Where runs are of several machines, the first column says which.
"""

import numpy as np

from tools.report import pictures, speedups
from tools.report.tables import Table

_PERCENTILES = (95, 50, 5)


def latest(points, options):
    """Speedups of the last campaign's models, sorted for each back end by themselves: a row is a rank, not a model."""
    found = speedups.of(points, options)
    models = speedups.of_last_campaign(speedups.by_model(found), points, options.each)
    columns, behind = ["# Workload"], []
    for title in found.titles:
        columns += [">Speedup(%s/%s)" % (title, found.base_title), ">StdDev", "ModelName(%s)" % title]
        behind += [">Low95(%s)" % title, ">High95(%s)" % title]
    rows, series = [], []
    for place in _places(points, models):
        ranked = []
        for backend in found.backends:
            mine = models.chosen((models.place == place) & (models.backend == backend))
            ranked.append(mine.chosen(np.argsort(mine.estimates.value, kind="stable")))
        for rank in range(max(len(r.model) for r in ranked)):
            cells, limits = [rank], []
            for r in ranked:
                if rank < len(r.model):
                    value, low, high, deviation = map(_rounded, r.estimates.one(rank))
                    cells += [value, deviation, r.names[r.model[rank]]]
                    limits += [low, high]
                else:
                    cells, limits = cells + [None, None, ""], limits + [None, None]
            rows.append((place, cells + limits))
        series += [
            _series(t, place, points, range(len(r.model)), r.estimates, [r.names[m] for m in r.model])
            for t, r in zip(found.titles, ranked)
        ]
    title = "Speedup over the %s, models of the last campaign by rank" % found.base_title
    return _table(points, options, found, title, columns + behind, rows, series, "model's rank", "points")


def latest_grouped(points, options):
    """The same by model, and last the geometric mean over the models that all back ends have."""
    found = speedups.of(points, options)
    models = speedups.of_last_campaign(speedups.by_model(found), points, options.each)
    columns, behind = ["# ModelName"], []
    for title in found.titles:
        columns += [">Speedup(%s/%s)" % (title, found.base_title), ">StdDev"]
        behind += [">Low95(%s)" % title, ">High95(%s)" % title]
    one_campaign = models._replace(campaign=np.zeros(len(models.model), int))  # the means' back ends may differ in their last one
    means = speedups.over_models(one_campaign)
    rows, series = [], []
    for place in _places(points, models):
        here = [[one_campaign.chosen((models.place == place) & (models.backend == b)), b] for b in found.backends]
        at = [{int(m): i for i, m in enumerate(part.model)} for part, _ in here]
        for number in sorted({m for part in at for m in part}, key=lambda m: (models.names[m].casefold(), models.names[m])):
            figures = [part.estimates.one(i[number]) if number in i else (None,) * 4 for (part, _), i in zip(here, at)]
            rows.append((place, _grouped(models.names[number], figures)))
        figures = []
        for backend in found.backends:
            mean = np.flatnonzero((means.place == place) & (means.backend == backend))
            figures.append(means.estimates.one(mean[0]) if len(mean) else (None,) * 4)
        rows.append((place, _grouped("GEOMEAN", figures)))
        found.notes.append(
            "GEOMEAN is over the %d models that all back ends have%s" % (means.count[means.place == place].max(), _on(points, models, place))
        )
        for (part, _), title, mean in zip(here, found.titles, figures):
            order = sorted(range(len(part.model)), key=lambda i: models.names[part.model[i]].casefold())
            drawn = _series(title, place, points, [models.names[part.model[i]] for i in order], part.estimates[order])
            if mean[0] is not None:
                for part, figure in zip((drawn.x, drawn.y, drawn.low, drawn.high), ("GEOMEAN", *mean)):
                    part.append(figure)
            series.append(drawn)
    title = "Speedup over the %s, last campaign" % found.base_title
    return _table(points, options, found, title, columns + behind, rows, series, "model", "bars")


def _grouped(name, figures):
    cells, limits = [name], []
    for value, low, high, deviation in figures:
        cells += [_rounded(value), _rounded(deviation)]
        limits += [_rounded(low), _rounded(high)]
    return cells + limits


def histogram(points, options):
    """Percentiles (NumPy's, linear) of the models' speedups in each campaign."""
    found = speedups.of(points, options)
    models = speedups.by_model(found)
    columns = ["# Datetime(UTC)"] + [">%s p%d" % (title, p) for title in found.titles for p in _PERCENTILES]
    rows, drawn = [], {}
    for place in _places(points, models):
        for campaign in np.unique(models.campaign[models.place == place]):
            cells = [points.campaigns[campaign].moment]
            for title, backend in zip(found.titles, found.backends):
                values = models.estimates.value[
                    (models.campaign == campaign) & (models.place == place) & (models.backend == backend)
                ]
                figures = [_rounded(float(np.percentile(values, p))) if len(values) else None for p in _PERCENTILES]
                cells += figures
                for p, figure in zip(_PERCENTILES, figures):
                    if figure is not None:
                        drawn.setdefault((place, "%s p%d" % (title, p)), []).append((cells[0], figure))
            rows.append((place, cells))
        found.notes.extend(_other_models(found, models, points, place))
    series = [
        pictures.Series(_named(name, points, models, place), [x for x, _ in values], [y for _, y in values])
        for (place, name), values in drawn.items()
    ]
    title = "Percentiles of the models' speedups over the %s" % found.base_title
    return _table(points, options, found, title, columns, rows, series, "campaign", "lines")


def speedup(points, options):
    """The geometric mean of the speedups in each campaign."""
    found = speedups.of(points, options)
    models = speedups.by_model(found)
    means = speedups.over_models(models)
    same = models.chosen(speedups.same_models(models))
    columns, behind = ["# Datetime(UTC)"], []
    for title in found.titles:
        columns += [">Speedup(%s/%s)" % (title, found.base_title), ">StdDev"]
        behind += [">Low95(%s)" % title, ">High95(%s)" % title]
    at = {(int(p), int(c), int(b)): i for i, (p, c, b) in enumerate(zip(means.place, means.campaign, means.backend))}
    rows, series = [], []
    for place in _places(points, means):
        campaigns = np.unique(means.campaign[means.place == place])
        for campaign in campaigns:
            indices = [at.get((int(place), int(campaign), b)) for b in found.backends]
            figures = [(None,) * 4 if i is None else means.estimates.one(i) for i in indices]
            size = max(int(means.count[i]) for i in indices if i is not None)
            rows.append((place, _grouped(points.campaigns[campaign].moment, figures) + [size]))
        found.notes.extend(_other_models(found, same, points, place))
        for title, backend in zip(found.titles, found.backends):
            mine = np.flatnonzero((means.place == place) & (means.backend == backend) & ~np.isnan(means.estimates.value))
            moments = [points.campaigns[c].moment for c in means.campaign[mine]]
            series.append(_series(title, place, points, moments, means.estimates[mine]))
    title = "Geometric mean of the speedups over the %s, over models that all back ends of a campaign have" % found.base_title
    return _table(points, options, found, title, columns + behind + [">Models"], rows, series, "campaign", "lines")


def _other_models(found, models, points, place):
    """Notes where one campaign's figures are of other models than another's, or of other workloads of the same models."""
    here = models.chosen(models.place == place)
    sets = {c: {models.names[m] for m in here.model[here.campaign == c]} for c in np.unique(here.campaign)}
    if len({frozenset(one) for one in sets.values()}) > 1:
        sizes, common = [len(one) for one in sets.values()], set.intersection(*sets.values())
        some = sorted(common, key=str.casefold)
        shown = ": " + ", ".join(some[:5] + ["…"] * (len(some) > 5)) if some else ""
        size = " to ".join(map(str, sorted({min(sizes), max(sizes)})))
        note = "the campaigns have other models: %s each, %d that all of them have%s; --filter chooses the same ones"
        return [note % (size, len(common), shown) + _on(points, models, place)]
    mine = found.points.chosen(found.points.place == place)
    if len({frozenset(mine.workload[mine.campaign == c].tolist()) for c in sets}) > 1:
        return ["the campaigns have other batch sizes or data types of the same models" + _on(points, models, place)]
    return []


REPORTS = {"latest": latest, "latest_grouped": latest_grouped, "histogram": histogram, "speedup": speedup}


def _places(points, found):
    return [int(place) for place in np.unique(found.place)]


def _several(points, found):
    return len(np.unique(found.place)) > 1


def _on(points, found, place):
    return " on " + points.places[place] if _several(points, found) else ""


def _named(name, points, found, place):
    return name + _on(points, found, place)


def _rounded(value):
    return None if value is None else round(value, 8)


def _series(title, place, points, x, figures, labels=()):
    name = title + (" on " + points.places[place] if len(np.unique(points.place)) > 1 else "")
    return pictures.Series(
        name, list(x), *(_listed(part) for part in (figures.value, figures.low, figures.high)), labels=list(labels)
    )


def _listed(values):
    return [None if np.isnan(v) else float(v) for v in values]


def _table(points, options, found, title, columns, rows, series, x_title, kind):
    several = len({place for place, _ in rows}) > 1
    if several:
        columns = ["# Machine"] + [column.replace("# ", "") for column in columns]
        rows = [[points.places[place]] + cells for place, cells in rows]
    else:
        rows = [cells for _, cells in rows]
    if options.metric == "compile":
        title = title.replace("Speedup", "Speedup of compiling").replace("speedups", "speedups of compiling")
    picture = pictures.Picture(title, x_title, "speedup", kind, [one for one in series if one.y], reference=1.0)
    return Table(title, columns, rows, found.notes, points.left_out(), picture)
