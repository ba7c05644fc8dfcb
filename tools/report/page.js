// Shows the page's data: filters, sorts, draws. What the data is, page.py says. Text becomes text nodes, never markup, and
// plotly.js, which reads a few tags in texts, gets those characters as entities.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const byId = (id) => document.getElementById(id);
  const root = document.documentElement;
  const ROWS = 100;

  function element(name, text, attributes) {
    const made = document.createElement(name);
    if (text !== undefined && text !== null) made.textContent = text;
    for (const [key, value] of Object.entries(attributes || {})) made.setAttribute(key, value);
    return made;
  }
  const plain = (text) => String(text).replace(/[&<>]/g, (c) => ({"&": "&amp;", "<": "&lt;", ">": "&gt;"})[c]);
  const short = (text, most) => (text.length > most ? text.slice(0, most - 1) + "…" : text);
  const label = (text) => plain(short(String(text), 60));

  // --- numbers -------------------------------------------------------------------------------------------------------------
  function time(ns) {
    if (ns === null) return "–";
    for (const [unit, size] of [["ns", 1], ["us", 1e3], ["ms", 1e6]]) {
      if (Math.abs(ns) < 999.5 * size) return (ns / size).toPrecision(4) + " " + unit;
    }
    return (ns / 1e9).toPrecision(4) + " s";
  }
  // The unit in which the largest of some times is written.
  function unitOf(values) {
    const most = Math.max(...values.filter((v) => v !== null));
    return [["ns", 1], ["us", 1e3], ["ms", 1e6]].find(([, size]) => most < 999.5 * size) || ["s", 1e9];
  }
  const digits = (value, n = 4) => (value === null ? "–" : String(Number(value.toPrecision(n))));
  const ratio = (value) => (value === null ? "–" : value.toFixed(3));
  const moment = (seconds) => (seconds === null ? "" : new Date(seconds * 1000).toISOString().slice(0, 19).replace("T", " "));

  // --- configurations ------------------------------------------------------------------------------------------------------
  const text = (column) => (i) => data.cases[column].values[data.cases[column].codes[i]];
  const value = (column) => (i) => data.cases[column][i];
  const COLUMNS = [
    {key: "case", title: "Configuration", get: value("case")},
    {key: "backend", title: "Back end", get: text("backend"), filter: true},
    {key: "median", title: "Time", get: value("median"), show: time},
    {key: "width", title: "± %", get: value("width"), show: (v) => digits(v, 2)},
    {key: "speedup", title: "Speedup", get: value("speedup"), show: ratio},
    {key: "low", title: "95 % from", get: value("low"), show: ratio},
    {key: "high", title: "to", get: value("high"), show: ratio},
    {key: "state", title: "In means", get: text("state"), filter: true, say: (v) => (v === "usable" ? "yes" : "no: " + v)},
    {key: "outcome", title: "Verdict", get: text("outcome"), filter: true},
    {key: "suite", title: "Suite", get: text("suite"), filter: true},
    {key: "model", title: "Model", get: text("model")},
    {key: "dtype", title: "Dtype", get: text("dtype"), filter: true},
    {key: "batch", title: "Batch", get: value("batch"), show: (v) => (v === null ? "–" : v)},
    {key: "test", title: "Mode", get: text("test"), filter: true},
    {key: "device", title: "Device", get: text("device"), filter: true},
    {key: "machine", title: "Machine", get: text("machine"), filter: true},
    {key: "compiling", title: "First call more", get: value("compiling"), show: time},
  ];
  const count = data.cases.case.length;
  // What a search looks through; made once, in lower case.
  const haystack = Array.from({length: count}, (_, i) =>
    COLUMNS.filter((c) => !c.show).map((c) => c.get(i)).join(" ").toLowerCase());
  // A column whose cells are all alike tells nothing apart: it is named once above the table instead.
  const shown = COLUMNS.filter((c) => c.key === "case" || count < 2 || new Set(Array.from({length: count}, (_, i) => c.get(i))).size > 1);
  const runsOf = Array.from({length: count}, () => []);
  data.runs.case.forEach((c, run) => runsOf[c].push(run));

  const state = {sort: "case", down: false, page: 0, chosen: -1, a: -1, b: -1, visible: [], all: false};
  const filters = {};

  function buildFilters() {
    for (const column of shown.filter((c) => c.filter)) {
      const values = [...new Set(data.cases[column.key].values)].sort();
      const select = element("select", undefined, {id: "filter-" + column.key});
      select.append(new Option("all", ""));
      for (const one of values) select.append(new Option(short(column.say ? column.say(one) : one || "none", 50), "=" + one));
      select.addEventListener("change", () => { filters[column.key] = select.value; state.page = 0; refresh(); });
      const box = element("label", column.title + " ");
      box.append(select);
      byId("filters").append(box);
    }
    byId("filters").addEventListener("submit", (event) => event.preventDefault());
    byId("search").addEventListener("input", () => { state.page = 0; refresh(); });
  }

  function buildHead() {
    const row = byId("table").tHead.rows[0];
    for (const column of shown) {
      const head = element("th", undefined, {scope: "col", "aria-sort": "none", class: column.show ? "number" : ""});
      const button = element("button", column.title, {type: "button", id: "sort-" + column.key});
      button.addEventListener("click", () => {
        state.down = state.sort === column.key ? !state.down : Boolean(column.show) && column.key !== "batch";
        state.sort = column.key;
        state.page = 0;
        refresh();
      });
      head.append(button);
      row.append(head);
    }
  }

  const byName = new Intl.Collator("en", {numeric: true}).compare;
  function chosenRows() {
    const words = byId("search").value.toLowerCase().split(/\s+/).filter(Boolean);
    const kept = [];
    for (let i = 0; i < count; i++) {
      const asked = COLUMNS.every((c) => !filters[c.key] || "=" + c.get(i) === filters[c.key]);
      if (asked && words.every((word) => haystack[i].includes(word))) kept.push(i);
    }
    const column = COLUMNS.find((c) => c.key === state.sort);
    const keys = new Map(kept.map((i) => [i, column.get(i)]));
    const sign = state.down ? -1 : 1;
    const compare = column.show ? (a, b) => a - b : byName;
    kept.sort((a, b) => {
      const [x, y] = [keys.get(a), keys.get(b)];
      if (x === null || y === null) return (x === null) - (y === null) || a - b;  // the unknown last, both ways
      return sign * compare(x, y) || a - b;
    });
    return kept;
  }

  function refresh() {
    state.visible = chosenRows();
    const heads = byId("table").tHead.rows[0].cells;
    shown.forEach((c, i) => heads[i].setAttribute("aria-sort", c.key !== state.sort ? "none" : state.down ? "descending" : "ascending"));
    const alike = COLUMNS.filter((c) => !shown.includes(c) && count && c.get(0) !== null && c.get(0) !== "" && c.get(0) !== "usable");
    const same = alike.map((c) => c.title.toLowerCase() + " " + short(String(c.show ? c.show(c.get(0)) : c.get(0)), 60)).join(", ");
    byId("count").textContent = state.visible.length + " of " + count + " configurations" + (same ? "; all: " + same : "");
    const first = state.all ? 0 : state.page * ROWS;
    const rows = state.visible.slice(first, state.all ? undefined : first + ROWS).map((i) => {
      const row = element("tr", undefined, i === state.chosen ? {class: "chosen"} : {});
      for (const column of shown) {
        const cell = element("td", undefined, column.show ? {class: "number"} : {});
        const given = column.get(i);
        const said = column.show ? column.show(given) : column.say ? column.say(given) : given;
        if (column.key === "case") {
          const button = element("button", short(said || "without a name", 120), {type: "button", "data-case": i});
          button.addEventListener("click", () => openCase(i));
          cell.append(button);
        } else {
          cell.textContent = short(String(said), 80);
        }
        if ((column.key === "state" && given !== "usable") || (column.key === "outcome" && given !== "PASS")) cell.classList.add("bad");
        row.append(cell);
      }
      return row;
    });
    byId("table").tBodies[0].replaceChildren(...rows);
    showPages();
  }

  function showPages() {
    const pages = Math.ceil(state.visible.length / ROWS);
    const made = [];
    const button = (title, page, active) => {
      const one = element("button", title, {type: "button"});
      one.disabled = !active;
      one.addEventListener("click", () => { state.page = page; state.all = page === "all"; if (state.all) state.page = 0; refresh(); });
      made.push(one, " ");
    };
    if (pages > 1 && !state.all) {
      button("previous", state.page - 1, state.page > 0);
      made.push("page " + (state.page + 1) + " of " + pages + " ");
      button("next", state.page + 1, state.page + 1 < pages);
      button("all on one page", "all", true);
    } else if (state.all) {
      button("in pages", 0, true);
    }
    byId("pages").replaceChildren(...made);
  }

  // --- pictures ------------------------------------------------------------------------------------------------------------
  // plotly.js takes a second of a processor to begin, so it waits for the table to be there, or for whoever wants a picture.
  function plotly() {
    if (!window.Plotly) document.head.append(element("script", byId("plotly").textContent));  // which the page's policy allows by its digest
    return Plotly;
  }
  const colour = (name) => getComputedStyle(root).getPropertyValue(name).trim();
  const SERIES = ["#3b82c4", "#d9822b", "#3a9d5d", "#c4473b", "#8a63b8", "#8c6d4f", "#c65fa5", "#7d8790", "#a6a61d", "#22a2b3"];
  const SYMBOLS = ["circle", "square", "diamond", "triangle-up", "triangle-down", "cross", "x", "star"];
  const CONFIG = {responsive: true, displaylogo: false, modeBarButtons: [["toImage", "zoom2d", "pan2d", "resetScale2d"]]};

  function layout(more) {
    const axis = {gridcolor: colour("--line"), zerolinecolor: colour("--line"), automargin: true};
    const made = {
      font: {color: colour("--text"), size: 12}, colorway: SERIES, paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)",
      margin: {l: 60, r: 20, t: 36, b: 50}, hovermode: "closest", legend: {orientation: "h", y: -0.25},
      modebar: {bgcolor: "rgba(0,0,0,0)", color: colour("--quiet"), activecolor: colour("--accent")}, ...more,
    };
    made.xaxis = {...axis, ...(more.xaxis || {})};
    made.yaxis = {...axis, ...(more.yaxis || {})};
    return made;
  }
  const axisTitle = (title) => ({text: plain(title)});
  const level = (y) => ({type: "line", xref: "paper", x0: 0, x1: 1, y0: y, y1: y, line: {color: colour("--quiet"), width: 1, dash: "dot"}});

  // One moment alone is a name: an axis of time around it would show milliseconds.
  const alone = (traces) => (new Set(traces.flatMap((trace) => trace.x)).size < 2 ? {type: "category"} : {});

  function errorBar(values, low, high) {
    if (!low.some((v) => v !== null && v !== undefined)) return undefined;
    const distance = (limit, sign) => values.map((v, i) => (limit[i] === null || v === null ? 0 : Math.max(sign * (limit[i] - v), 0)));
    return {type: "data", symmetric: false, array: distance(high, 1), arrayminus: distance(low, -1), thickness: 1, width: 3};
  }

  function drawReport(place, picture) {
    const bars = picture.kind === "bars" || picture.kind === "intervals";
    const traces = picture.series.map((s, i) => {
      const names = s.x.map((x) => (typeof x === "string" ? label(x) : x));
      const bar = errorBar(s.y, s.low, s.high);
      const hover = s.labels.length ? {text: s.labels.map(label), hovertemplate: "%{text}: %{y:.4g}<extra></extra>"} : {};
      if (picture.kind === "intervals") return {type: "scatter", mode: "markers", name: label(s.name), y: names, x: s.y, error_x: bar, marker: {size: 8}};
      if (bars) return {type: "bar", orientation: "h", name: label(s.name), y: names, x: s.y, error_x: bar};
      const symbol = {o: "circle-open", x: "x-thin-open"}[s.mark] || SYMBOLS[i % SYMBOLS.length];
      return {type: "scatter", mode: s.mark ? "markers" : "lines+markers", name: label(s.name), x: names, y: s.y, error_y: bar,
              marker: {symbol, size: s.mark ? 14 : 6}, ...hover};
    });
    const more = bars
      ? {xaxis: {title: axisTitle(picture.y_title)}, yaxis: {autorange: "reversed", type: "category"}, barmode: "group"}
      : {xaxis: {title: axisTitle(picture.x_title), ...alone(traces)}, yaxis: {title: axisTitle(picture.y_title), type: picture.kind === "curve" ? "log" : "-"},
         shapes: picture.reference === null ? [] : [level(picture.reference)]};
    if (bars) {
      const names = new Set(picture.series.flatMap((s) => s.x));
      place.style.height = Math.min(Math.max(430, names.size * picture.series.length * 14 + 130), 20000) + "px";
      if (picture.reference !== null) {
        more.shapes = [{type: "line", yref: "paper", y0: 0, y1: 1, x0: picture.reference, x1: picture.reference,
                        line: {color: colour("--quiet"), width: 1, dash: "dot"}}];
      }
    }
    plotly().react(place, traces, layout({showlegend: traces.length > 1, ...more}), CONFIG);
  }

  // A name of a group of points, which are of one machine: a GPU's stand under another roof than a CPU's.
  const severalMachines = data.cases.machine.values.length > 1;
  const onMachine = (name, i) => name + (severalMachines ? " on " + text("machine")(i) : "");

  // The last run of each configuration against its baseline's, or against its own run before.
  function pairs(withBefore) {
    const found = [];
    for (let i = 0; i < count; i++) {
      const y = data.cases.median[i];
      if (y === null || data.cases.state.values[data.cases.state.codes[i]] !== "usable") continue;
      if (!withBefore) {
        const base = data.cases.base[i];
        if (base >= 0) found.push([i, data.cases.median[base], y]);
        continue;
      }
      const before = runsOf[i].slice(0, -1).filter((run) => data.reasons[data.runs.reason[run]] === "").pop();
      if (before !== undefined) found.push([i, data.runs.median[before], y]);
    }
    return found;
  }

  function drawPairs(place, withBefore) {
    const groups = new Map();
    for (const [i, x, y] of pairs(withBefore)) {
      const name = onMachine(text("backend")(i), i);
      if (!groups.has(name)) groups.set(name, {x: [], y: [], text: [], customdata: []});
      const group = groups.get(name);
      group.x.push(x / 1e6);
      group.y.push(y / 1e6);
      group.text.push(label(data.cases.case[i]) + "<br>speedup " + digits(x / y));
      group.customdata.push(i);
    }
    const traces = [...groups].map(([name, group], k) => ({type: "scatter", mode: "markers", name: label(name), ...group,
      marker: {symbol: SYMBOLS[k % SYMBOLS.length], size: 7, opacity: 0.8}, hovertemplate: "%{text}<extra></extra>"}));
    const every = traces.flatMap((t) => t.x.concat(t.y));
    if (every.length) {
      const ends = [Math.min(...every), Math.max(...every)];
      traces.push({type: "scatter", mode: "lines", x: ends, y: ends, name: "equal", line: {color: colour("--quiet"), width: 1, dash: "dot"}, hoverinfo: "skip"});
    }
    const base = withBefore ? "the run before, ms" : "baseline, ms";
    plotly().react(place, traces, layout({
      title: {text: "Below the line the candidate is faster", font: {size: 13}}, showlegend: true,
      xaxis: {type: "log", title: axisTitle(base)}, yaxis: {type: "log", title: axisTitle("candidate, ms")},
    }), CONFIG);
    onPoint(place, (point) => point.customdata !== undefined && openCase(point.customdata));
  }

  function drawRoofline(place) {
    const groups = new Map();
    for (const [i, intensity, rate] of data.roofline) {
      const name = onMachine(text("dtype")(i) || "no dtype", i);
      if (!groups.has(name)) groups.set(name, {x: [], y: [], text: [], customdata: []});
      const group = groups.get(name);
      group.x.push(intensity);
      group.y.push(rate);
      group.text.push(label(data.cases.case[i]));
      group.customdata.push(i);
    }
    const traces = [...groups].map(([name, group], k) => ({type: "scatter", mode: "markers", name: label(name), ...group,
      marker: {symbol: SYMBOLS[k % SYMBOLS.length], size: 7, opacity: 0.8}, hovertemplate: "%{text}<br>%{x:.3g} FLOP/byte, %{y:.4g} GFLOP/s<extra></extra>"}));
    const across = data.roofline.map(([, intensity]) => intensity);
    const [first, last] = [Math.min(...across) / 2, Math.max(...across) * 2];
    for (const [name, compute, memory] of data.roofs) {
      const under = (x) => Math.min(...[compute, memory && memory * x].filter((v) => v !== null));
      const ridge = compute && memory ? [compute / memory].filter((x) => x > first && x < last) : [];
      const x = [first, ...ridge, last];
      traces.push({type: "scatter", mode: "lines", name: "roof of " + label(name), x, y: x.map(under), line: {width: 1.5}, hoverinfo: "name"});
    }
    plotly().react(place, traces, layout({
      title: {text: "How much is computed for each byte, and how fast", font: {size: 13}},
      showlegend: true, xaxis: {type: "log", title: axisTitle("FLOP/byte")}, yaxis: {type: "log", title: axisTitle("GFLOP/s")},
    }), CONFIG);
    onPoint(place, (point) => openCase(point.customdata));
  }

  function onPoint(place, act) {
    place.removeAllListeners("plotly_click");
    place.on("plotly_click", (event) => act(event.points[0]));
  }

  const views = data.pictures.map((picture) => ({
    title: picture.tab, note: picture.title, draw: (place) => { drawReport(place, picture); place.removeAllListeners("plotly_click"); },
  }));
  if (pairs(false).length) {
    views.push({title: "Candidate against baseline", note: "A point is the last run of a configuration; a click opens it.", draw: (p) => drawPairs(p, false)});
  }
  if (pairs(true).length) {
    views.push({title: "Last run against the one before", note: "A point is a configuration; a click opens it.", draw: (p) => drawPairs(p, true)});
  }
  if (data.roofline.length) {
    views.push({title: "Roofline", 
      note: "Of configurations whose operations and bytes are counted; a click opens one. " + (data.roofs.length ? "" : "Runs with --peaks bring the machine's roof."), draw: drawRoofline});
  }

  let view = 0;
  function showView(place) {
    view = place;
    [...byId("tabs").children].forEach((tab, i) => {
      tab.setAttribute("aria-selected", String(i === view));
      tab.tabIndex = i === view ? 0 : -1;
    });
    if (!views.length) {
      byId("picture").hidden = true;
      byId("picture-note").textContent = "There is nothing to compare yet.";
      return;
    }
    byId("picture").style.height = "";
    views[view].draw(byId("picture"));
    byId("picture-note").textContent = views[view].note;
  }
  function buildTabs() {
    views.forEach((one, i) => {
      const tab = element("button", one.title, {type: "button", role: "tab", "aria-controls": "picture"});
      tab.addEventListener("click", () => showView(i));
      tab.addEventListener("keydown", (event) => {
        const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
        if (!step) return;
        event.preventDefault();
        showView((view + step + views.length) % views.length);
        byId("tabs").children[view].focus();
      });
      byId("tabs").append(tab);
    });
  }

  // --- one configuration ---------------------------------------------------------------------------------------------------
  function runTitle(run) {
    const [begun, commit, torch] = data.campaigns[data.runs.campaign[run]];
    const why = data.reasons[data.runs.reason[run]];
    return [moment(data.runs.seconds[run]) || begun, commit.slice(0, 8), torch && "torch " + torch, time(data.runs.median[run]), why].filter(Boolean).join(" · ");
  }

  function openCase(i, keep) {
    state.chosen = i;
    const runs = runsOf[i];
    state.a = runs[runs.length - 1];
    state.b = runs.length > 1 ? runs[runs.length - 2] : data.cases.base[i] >= 0 ? runsOf[data.cases.base[i]].slice(-1)[0] : -1;
    for (const [id, none] of [["run-a", false], ["run-b", true]]) {
      const select = byId(id);
      select.replaceChildren();
      if (none) select.append(new Option("none", -1));
      for (const run of [...runs].reverse()) select.append(new Option(short(runTitle(run), 110), run));
      if (none && data.cases.base[i] >= 0) {
        for (const run of [...runsOf[data.cases.base[i]]].reverse()) select.append(new Option(short("baseline · " + runTitle(run), 110), run));
      }
    }
    byId("run-a").value = state.a;
    byId("run-b").value = state.b;
    byId("detail").hidden = false;
    byId("detail-head").textContent = data.cases.case[i] || "without a name";
    byId("detail-facts").textContent = COLUMNS.filter((c) => c.key !== "case" && c.get(i) !== null && c.get(i) !== "")
      .map((c) => c.title.toLowerCase() + " " + (c.show ? c.show(c.get(i)) : c.say ? c.say(c.get(i)) : c.get(i))).join(" · ");
    const command = data.cases.command[i];
    byId("command").textContent = command || "another suite's run: it has no command here";
    byId("copy").hidden = !command;
    showDetail();
    refresh();
    if (!keep) {
      byId("detail").focus();
      byId("detail").scrollIntoView({block: "start"});
    }
  }

  function showDetail() {
    drawSeries();
    drawSamples();
    showEnvironment();
  }

  const changed = new Set(data.runs.changes);
  const known = (runs) => runs.filter((run) => data.runs.median[run] !== null);
  function drawSeries() {
    const runs = known(runsOf[state.chosen]);
    const usable = (run) => data.reasons[data.runs.reason[run]] === "";
    const at = (run) => (data.runs.seconds[run] === null ? data.runs.record[run] : moment(data.runs.seconds[run]));
    const [unit, size] = unitOf(runs.map((run) => data.runs.median[run]));
    const traces = [[true, "may enter a mean"], [false, "left out of means"]].map(([good, name]) => {
      const mine = runs.filter((run) => usable(run) === good);
      const [y, low, high] = ["median", "low", "high"].map((part) => mine.map((run) => data.runs[part][run] === null ? null : data.runs[part][run] / size));
      return {type: "scatter", mode: good ? "lines+markers" : "markers", name, x: mine.map(at), y, error_y: errorBar(y, low, high), customdata: mine,
              text: mine.map((run) => label(runTitle(run))), hovertemplate: "%{text}<extra></extra>",
              marker: {symbol: good ? "circle" : "x", size: 8}};
    }).filter((trace) => trace.x.length);
    const changes = runs.filter((run) => changed.has(run));
    const shapes = changes.map((run) => ({type: "line", yref: "paper", y0: 0, y1: 1, x0: at(run), x1: at(run), line: {color: colour("--bad"), width: 1, dash: "dot"}}));
    plotly().react(byId("series"), traces, layout({xaxis: {title: axisTitle("time, UTC"), ...alone(traces)}, yaxis: {title: axisTitle(unit), rangemode: "tozero"},
      showlegend: traces.length > 1, shapes}), CONFIG);
    onPoint(byId("series"), (point) => { state.a = point.customdata; byId("run-a").value = state.a; showDetail(); });
  }

  const samplesOf = new Map(data.samples.map(([run, all, scale, some]) => [run, [all, some.map((v) => v * scale)]]));
  function drawSamples() {
    const chosen = [state.a, state.b].filter((run, i, both) => run >= 0 && both.indexOf(run) === i);
    const [unit, size] = unitOf(chosen.flatMap((run) => (samplesOf.get(run) || [0, [0]])[1].slice(-1)));
    const traces = [];
    const said = [];
    chosen.forEach((run, i) => {
      const found = samplesOf.get(run);
      if (!found) {
        said.push("run " + "AB"[i] + " has no samples here");
        return;
      }
      said.push("run " + "AB"[i] + ": " + found[1].length + " of " + found[0] + " samples");
      traces.push({type: "violin", name: "run " + "AB"[i], x: found[1].map((v) => v / size), y0: "samples", orientation: "h", side: i ? "negative" : "positive",
                   points: "all", pointpos: i ? -0.4 : 0.4, jitter: 0.3, box: {visible: true}, meanline: {visible: true}, marker: {size: 4, opacity: 0.6}, scalemode: "width", spanmode: "hard"});
    });
    byId("samples").hidden = !traces.length;
    byId("samples-note").textContent = said.join("; ") || "no samples";
    if (traces.length) {
      plotly().react(byId("samples"), traces, layout({xaxis: {title: axisTitle(unit)}, yaxis: {showticklabels: false}, violinmode: "overlay", showlegend: true}), CONFIG);
    }
  }

  function showEnvironment() {
    const table = byId("environment");
    const two = state.b >= 0;
    const head = element("tr");
    ["", "run A"].concat(two ? ["run B"] : []).forEach((title) => head.append(element("th", title, {scope: "col"})));
    table.tHead.replaceChildren(head);
    const of = (run) => data.machines.of[data.runs.machine[run]] || [];
    const source = (run) => data.runs.source.values[data.runs.source.codes[run]] + ":" + data.runs.line[run];
    const facts = [
      ["run", runTitle], ["record", (run) => source(run) + ", number " + data.runs.record[run] + " of the database"],
      ["why not in means", (run) => data.reasons[data.runs.reason[run]] || ""], ["said", (run) => data.runs.message[run] || ""],
      ["interval", (run) => (data.runs.low[run] === null ? "" : time(data.runs.low[run]) + " to " + time(data.runs.high[run]))],
    ].map(([name, get]) => [name, get(state.a), two ? get(state.b) : ""]);
    const figures = data.figures.names.map((name, i) => {
      const of = (run) => (data.figures.of[run] || [])[i];
      return [name, of(state.a), two ? of(state.b) : null, false];
    });
    const surroundings = data.machines.names.map((name, i) => [name, of(state.a)[i], two ? of(state.b)[i] : null]);
    const rows = [...facts.map((f) => [...f, false]), ...figures, ...surroundings.map((s) => [...s, two && s[1] !== s[2]])]
      .filter(([, a, b]) => (a !== null && a !== undefined && a !== "") || (b !== null && b !== undefined && b !== ""))
      .sort((x, y) => y[3] - x[3]);
    table.tBodies[0].replaceChildren(...rows.map(([name, a, b, differs]) => {
      const row = element("tr", undefined, differs ? {class: "differs"} : {});
      row.append(element("th", name.replaceAll("_", " ") + (differs ? " (differs)" : ""), {scope: "row"}), element("td", a));
      if (two) row.append(element("td", b));
      return row;
    }));
  }

  function closeCase() {
    if (byId("detail").hidden) return;
    byId("detail").hidden = true;
    const back = document.querySelector('[data-case="' + state.chosen + '"]');
    state.chosen = -1;
    if (back) back.focus();
  }

  // --- tables --------------------------------------------------------------------------------------------------------------
  function buildTables() {
    data.tables.forEach((table, place) => {
      const box = element("details");
      box.append(element("summary", table.title + " (" + table.rows.length + ")"));
      box.addEventListener("toggle", () => { if (box.children.length === 1) box.append(...tableOf(table)); });
      box.open = place === 0;
      byId("tables").append(box);
    });
  }

  function tableOf(table) {
    const scroll = element("div", undefined, {class: "scroll"});
    const made = element("table");
    const head = made.createTHead().insertRow();
    for (const title of table.columns) {
      head.append(element("th", title.replace(/^>/, "").replace(/^# /, ""), {scope: "col", class: title.startsWith(">") ? "number" : ""}));
    }
    const body = made.createTBody();
    for (const cells of table.rows) {
      const row = body.insertRow();
      cells.forEach((cell, i) => row.append(element("td", cell === null ? "–" : typeof cell === "number" ? digits(cell, 5) : short(cell, 120),
        {class: table.columns[i].startsWith(">") ? "number" : ""})));
    }
    scroll.append(made);
    return [scroll, ...table.notes.map((note) => element("p", note))];
  }

  // --- the whole -----------------------------------------------------------------------------------------------------------
  function redraw() {
    if (views.length) showView(view);
    if (!byId("detail").hidden) showDetail();
  }

  document.title = short(data.title, 80);
  byId("title").textContent = data.title;
  byId("facts").textContent = Object.entries(data.facts).map(([name, n]) => n + " " + (n === 1 ? name.slice(0, -1) : name)).join(", ");
  byId("notes").append(...data.notes.map((note) => element("li", note)));
  byId("cases").hidden = !count;
  buildFilters();
  buildHead();
  buildTabs();
  buildTables();
  refresh();
  byId("theme").addEventListener("click", () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    redraw();
  });
  for (const media of ["(prefers-color-scheme: dark)", "print"]) matchMedia(media).addEventListener("change", redraw);
  byId("close").addEventListener("click", closeCase);
  byId("copy").addEventListener("click", () => {
    const range = document.createRange();
    range.selectNodeContents(byId("command"));
    getSelection().removeAllRanges();
    getSelection().addRange(range);
    if (navigator.clipboard) navigator.clipboard.writeText(byId("command").textContent).catch(() => {});
  });
  for (const id of ["run-a", "run-b"]) {
    byId(id).addEventListener("change", (event) => { state[id.slice(-1)] = Number(event.target.value); showDetail(); });
  }
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") closeCase();
    if (event.key === "/" && !/^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName)) {
      event.preventDefault();
      byId("search").focus();
    }
  });
  requestAnimationFrame(() => setTimeout(() => {  // when the table has been painted
    root.dataset.readyMs = Math.round(performance.now());
    showView(0);
    root.dataset.drawnMs = Math.round(performance.now());
  }));
})();
