#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/span.h"
#include "benchmarks/harness/base/exit_code.h"
#include "benchmarks/harness/output/output.h"
#include "benchmarks/harness/processes/program_main.h"
#include "benchmarks/harness/text/byte_text.h"
#include "benchmarks/harness/text/untrusted_text.h"
#include "benchmarks/traces/analysis/operator_mix.h"
#include "benchmarks/traces/graph/storages.h"
#include "benchmarks/traces/graph/validation.h"
#include "nlohmann/json.hpp"
#include "tools/trace/actions.h"

namespace assay::trace {
namespace {

using traces::kNoNode;
using traces::TensorText;
using traces::TraceNode;
using traces::TraceTensor;
using traces::TraceTree;
using traces::TraceValue;
using Json = nlohmann::ordered_json;
using Kind = TraceValue::Kind;

std::string ValueText(const TraceValue& value) {
  switch (value.kind) {
    case Kind::kTensor:
      return TensorText(value.tensor);
    case Kind::kInt:
      return absl::StrCat(value.integer);
    case Kind::kDouble:
      return absl::StrCat(value.number);
    case Kind::kBool:
      return value.integer != 0 ? "true" : "false";
    case Kind::kString:
    case Kind::kDevice:
      return base::Quoted(value.text);
    case Kind::kList: {
      constexpr size_t kMost = 16;
      std::vector<std::string> items;
      for (const TraceValue& item : value.items) {
        items.push_back(items.size() == kMost ? absl::StrCat("… of ", value.items.size())
                                              : ValueText(item));
        if (items.size() > kMost) break;
      }
      return absl::StrCat("[", absl::StrJoin(items, ", "), "]");
    }
    default:
      return base::Printable(value.type, 40);
  }
}

std::string ValuesText(const std::vector<TraceValue>& values) {
  return absl::StrJoin(values, ", ", [](std::string* out, const TraceValue& value) {
    out->append(ValueText(value));
  });
}

// As PARAM's get_param().
Json ParamJson(const TraceValue& value) {
  Json made;
  made["type"] = value.type;
  if (value.kind == Kind::kTensor) {
    made = {{"type", "tensor"}, {"dtype", value.tensor.dtype}, {"shape", value.tensor.sizes}};
  } else if (value.kind == Kind::kList) {
    made = {{"type", "genericlist"}, {"value", Json::array()}, {"size", value.items.size()}};
    for (const TraceValue& item : value.items) made["value"].push_back(ParamJson(item));
  } else {
    std::string type = value.type;
    std::transform(type.begin(), type.end(), type.begin(), [](char c) { return std::tolower(c); });
    made["type"] = type;
    if (value.kind == Kind::kInt) made["value"] = value.integer;
    if (value.kind == Kind::kDouble) made["value"] = value.number;
    if (value.kind == Kind::kBool) made["value"] = value.integer != 0;
    if (value.kind == Kind::kDevice) made["value"] = value.text;
  }
  return made;
}

struct Listed {
  int count = 0;
  std::set<std::string> inputs = {};
};

// The nearest operators before and behind the node with a tensor among their results or arguments.
std::string Neighbours(const TraceTree& tree, int64_t id, const std::vector<TraceValue>& values,
                       bool before) {
  std::string text;
  traces::ForEachTensor(values, [&](const TraceTensor& tensor) {
    size_t nearest = kNoNode;
    for (const size_t other : tree.order) {
      bool has = false;
      const auto look = [&](const TraceTensor&, int64_t of, int64_t) { has |= of == tensor.id; };
      if (before) {
        tree.nodes.ForEachOutput(other, look);
      } else {
        tree.nodes.ForEachInput(other, look);
      }
      const int64_t other_id = tree.nodes.IdsOf(other).id;
      if (!has || (before ? other_id >= id : other_id <= id)) continue;
      if (before || nearest == kNoNode) nearest = other;
    }
    absl::StrAppend(
        &text, "  tensor ", tensor.id, " ", TensorText(tensor), " in storage ", tensor.storage,
        " + ", tensor.offset, " on ", base::Printable(tensor.device, 20),
        nearest == kNoNode
            ? ""
            : absl::StrCat(before ? " <-- " : " --> ", traces::NodeText(tree.nodes[nearest])),
        "\n");
  });
  return text;
}

}  // namespace

absl::StatusOr<int> List(GivenTraces& given) {
  const TraceFlags& flags = given.flags;
  const TraceTree tree(given.traces[0].nodes);
  std::vector<int> counts(tree.nodes.Calls());
  std::vector<size_t> first(tree.nodes.Calls());
  for (const size_t node : tree.order) {
    if (!tree.IsOperator(node) || (!flags.detail && !tree.IsTopMost(node))) continue;
    const size_t call = tree.nodes.CallNumber(node);
    if (counts[call]++ == 0) first[call] = node;
  }
  std::map<std::string, Listed> listed;
  for (size_t call = 0; call < counts.size(); ++call) {
    if (counts[call] == 0) continue;
    const TraceNode& of = tree.nodes.CallOf(first[call]);
    Listed& one = listed[of.name];
    one.count += counts[call];
    Json inputs = Json::array();
    if (flags.json) {
      for (const TraceValue& value : of.inputs) inputs.push_back(ParamJson(value));
    }
    one.inputs.insert(flags.json ? inputs.dump(-1, ' ', false, Json::error_handler_t::replace)
                                 : ValuesText(of.inputs));
  }
  if (flags.json) {
    Json all = Json::object();
    auto& entries = all.get_ref<Json::object_t&>();  // its operator[] would look for each name
    for (const auto& [name, one] : listed) {
      Json inputs = Json::array();
      for (const std::string& text : one.inputs) inputs.push_back(Json::parse(text));
      entries.emplace_back(name, Json{{"count", one.count}, {"inputs", inputs}});
    }
    return processes::Print(JsonFileText(all, 2));
  }
  std::vector<std::pair<std::string, Listed>> sorted(listed.begin(), listed.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second.count > b.second.count; });
  std::vector<std::vector<std::string>> rows = {{"Operator", "Count", "Different", "For example"}};
  for (const auto& [name, one] : sorted) {
    rows.push_back({base::Printable(name, 80), absl::StrCat(one.count),
                    absl::StrCat(one.inputs.size()), base::Printable(*one.inputs.begin(), 100)});
  }
  return processes::Print(output::TextTable(rows, {0, 3}));
}

absl::StatusOr<int> Stats(GivenTraces& given) {
  const traces::TraceReading& about = given.traces[0].about;
  const TraceTree tree(given.traces[0].nodes);
  size_t operators = 0, top = 0, steps = 0, timed = 0;
  std::set<int64_t> threads;
  absl::flat_hash_set<int64_t> tensors;
  absl::flat_hash_map<const TraceTensor*, int> arguments;
  for (size_t node = 0; node < tree.nodes.size(); ++node) {
    const TraceNode& call = tree.nodes.CallOf(node);
    steps += absl::StartsWith(call.name, "ProfilerStep") ? 1 : 0;
    tree.nodes.ForEachInput(node, [&](const TraceTensor& like, int64_t id, int64_t) {
      tensors.insert(id);
      ++arguments[&like];
    });
    if (!call.IsOperator()) continue;
    ++operators;
    top += tree.IsTopMost(node) ? 1 : 0;
    threads.insert(call.tid);
    timed += tree.nodes.TimesOf(node).duration_ns >= 0 ? 1 : 0;
  }
  std::map<std::string, int> devices;
  for (const auto& [like, count] : arguments) devices[base::Printable(like->device, 20)] += count;
  const size_t ids = tensors.size();
  tensors = {};
  const traces::Storages storages = traces::FindStorages(tree);
  int64_t made_by_none = 0;
  for (const traces::Storage& storage : storages.all)
    made_by_none += storage.born == kNoNode ? 1 : 0;
  std::string text = absl::StrCat(
      "schema     ", about.schema, "\nnodes      ", tree.nodes.size(), ": ", operators,
      " operators, ", top, " of them top-most; ", steps, " ProfilerStep; ", threads.size(),
      " threads\nrecorded   ",
      about.finish_ms > about.start_ms
          ? absl::StrCat((about.finish_ms - about.start_ms) / 1e3, " s from start to finish; ")
          : "",
      timed, " operators have times\ntensors    ", ids, " ids, ", storages.all.size(),
      " storages, ", made_by_none, " of which no operator made\ndevices    ",
      absl::StrJoin(devices, ", ",
                    [](std::string* out, const auto& row) {
                      absl::StrAppend(out, row.first, " (", row.second, " arguments)");
                    }),
      "\n");
  if (!about.kernels.empty())
    absl::StrAppend(&text, "kernels    ", about.kernels.size(), ", of GPUs\n");
  if (!about.torn.empty()) absl::StrAppend(&text, "torn       ", about.torn, "\n");
  return processes::Print(text);
}

absl::StatusOr<int> Tensors(GivenTraces& given) {
  const TraceTree tree(given.traces[0].nodes);
  std::vector<traces::TensorLife> lives = traces::TensorLives(tree, traces::FindStorages(tree));
  if (given.flags.top > 0) {
    std::stable_sort(lives.begin(), lives.end(), [](const auto& a, const auto& b) {
      return traces::BytesOf(*a.like) > traces::BytesOf(*b.like);
    });
    lives.resize(std::min(lives.size(), static_cast<size_t>(given.flags.top)));
  }
  const auto id = [&](size_t node) { return tree.nodes.IdsOf(node).id; };
  const auto node_text = [&](size_t node) {
    return node == kNoNode
               ? "-"
               : traces::NodeText({.id = id(node), .name = tree.nodes.CallOf(node).name});
  };
  if (given.flags.json) {
    processes::Print("[");
    for (const traces::TensorLife& life : lives) {
      const TraceTensor& tensor = *life.like;
      Json row = {{"id", life.id},           {"storage", life.storage},
                  {"dtype", tensor.dtype},   {"shape", tensor.sizes},
                  {"device", tensor.device}, {"bytes", traces::BytesOf(tensor)},
                  {"uses", life.uses}};
      if (tensor.has_strides) row["strides"] = tensor.strides;
      if (life.made != kNoNode) row["made_by"] = id(life.made);
      if (life.first_use != kNoNode) row["first_use"] = id(life.first_use);
      if (life.last_use != kNoNode) row["last_use"] = id(life.last_use);
      processes::Print(absl::StrCat(&life == lives.data() ? "\n" : ",\n",
                                    row.dump(-1, ' ', false, Json::error_handler_t::replace)));
    }
    return processes::Print("\n]\n");
  }
  constexpr size_t kMostRows = 20'000;  // of one table, so that a large trace needs little memory
  size_t at = 0;
  do {
    std::vector<std::vector<std::string>> rows = {
        {"Tensor", "Storage", "Is", "Bytes", "Made by", "First use", "Last use", "Uses"}};
    for (; at < lives.size() && rows.size() <= kMostRows; ++at) {
      const traces::TensorLife& life = lives[at];
      rows.push_back({absl::StrCat(life.id), absl::StrCat(life.storage), TensorText(*life.like),
                      base::ByteText(std::max<int64_t>(traces::BytesOf(*life.like), 0)),
                      node_text(life.made), node_text(life.first_use), node_text(life.last_use),
                      absl::StrCat(life.uses)});
    }
    processes::Print(output::TextTable(rows, {2, 4, 5, 6}));
  } while (at < lives.size());
  return base::kRight;
}

absl::StatusOr<int> Tree(GivenTraces& given) {
  const TraceTree tree(given.traces[0].nodes);
  std::vector<std::pair<size_t, size_t>> open;  // nodes and their depths
  for (auto root = tree.roots.rbegin(); root != tree.roots.rend(); ++root)
    open.push_back({*root, 0});
  while (!open.empty()) {
    const auto [node, depth] = open.back();
    open.pop_back();
    const TraceNode& of = tree.nodes.CallOf(node);
    std::string line = absl::StrCat(std::string(2 * depth, ' '), "(", tree.nodes.IdsOf(node).id,
                                    ") ", base::Printable(of.name, 80));
    if (of.IsOperator())
      absl::StrAppend(&line, "(", ValuesText(of.inputs), ") -> ", ValuesText(of.outputs));
    processes::Print(line + "\n");
    if (of.IsOperator() && !given.flags.detail) continue;
    const absl::Span<const uint32_t> children = tree.Children(node);
    for (auto child = children.rbegin(); child != children.rend(); ++child)
      open.push_back({*child, depth + 1});
  }
  return base::kRight;
}

absl::StatusOr<int> Node(GivenTraces& given) {
  const TraceTree tree(given.traces[0].nodes);
  for (size_t node = 0; node < tree.nodes.size(); ++node) {
    if (tree.nodes.IdsOf(node).id != given.flags.node) continue;
    const TraceNode of = tree.nodes[node];
    const std::string children = absl::StrJoin(
        tree.Children(node), ", ",
        [&](std::string* out, size_t child) { out->append(traces::NodeText(tree.nodes[child])); });
    return processes::Print(absl::StrCat(
        traces::NodeText(of), "\nschema     ", base::Printable(of.op_schema, 400), "\nparent     ",
        of.ctrl_deps, "; rf_id ", of.rf_id, ", seq_id ", of.seq_id, ", scope ", of.scope,
        ", thread ", of.tid, ", forward thread ", of.fw_tid, "\nchildren   ", children,
        "\narguments  ", ValuesText(of.inputs), "\n", Neighbours(tree, of.id, of.inputs, true),
        "results    ", ValuesText(of.outputs), "\n", Neighbours(tree, of.id, of.outputs, false)));
  }
  return absl::InvalidArgumentError(
      absl::StrCat("no node of the trace has the id ", given.flags.node));
}

absl::StatusOr<int> Validate(GivenTraces& given) {
  const TraceTree tree(given.traces[0].nodes);
  int operators = 0, collectives = 0, triton = 0;
  for (size_t node = 0; node < tree.nodes.size(); ++node) {
    if (!tree.IsTopMost(node)) continue;
    const std::string& name = tree.nodes.CallOf(node).name;
    ++operators;
    collectives += name == "record_param_comms" ? 1 : 0;
    triton += absl::StrContains(name, "triton") ? 1 : 0;
  }
  std::string text = absl::StrCat("num ops = ", operators, ", num comms = ", collectives,
                                  ", num triton ops = ", triton, "\n");
  bool errors = false;
  for (const traces::Finding& finding : traces::Validate(given.traces[0], tree)) {
    errors |= finding.error;
    absl::StrAppend(
        &text, finding.error ? "error  " : "note   ", finding.kind,
        finding.nodes.size() > 1 ? absl::StrCat(" (", finding.nodes.size(), " nodes)") : "", ": ",
        finding.text, "\n");
  }
  processes::Print(
      absl::StrCat(text, "Trace validation result = ", errors ? "False" : "True", "\n"));
  return errors ? base::kProductWrong : base::kRight;
}

}  // namespace assay::trace
