#include "tools/trace/show.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "benchmarks/harness/output/output.h"
#include "benchmarks/harness/text/byte_text.h"
#include "benchmarks/harness/text/untrusted_text.h"
#include "benchmarks/traces/analysis/lifetimes.h"
#include "benchmarks/traces/analysis/operator_mix.h"
#include "benchmarks/traces/graph/storages.h"
#include "benchmarks/traces/graph/validation.h"
#include "nlohmann/json.hpp"

namespace assay::trace {
namespace {

using traces::kNoNode;
using traces::TensorText;
using traces::TraceNode;
using traces::TraceTensor;
using traces::TraceTree;
using traces::TraceValue;
using Json = nlohmann::json;
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
    const TraceNode* nearest = nullptr;
    for (const size_t other : tree.order) {
      const TraceNode& node = tree.nodes[other];
      bool has = false;
      traces::ForEachTensor(before ? node.outputs : node.inputs,
                            [&](const TraceTensor& t) { has |= t.id == tensor.id; });
      if (!has || (before ? node.id >= id : node.id <= id)) continue;
      if (before || nearest == nullptr) nearest = &node;
    }
    absl::StrAppend(
        &text, "  tensor ", tensor.id, " ", TensorText(tensor), " in storage ", tensor.storage,
        " + ", tensor.offset, " on ", base::Printable(tensor.device, 20),
        nearest == nullptr ? ""
                           : absl::StrCat(before ? " <-- " : " --> ", traces::NodeText(*nearest)),
        "\n");
  });
  return text;
}

}  // namespace

std::string ListText(const TraceTree& tree, const TraceFlags& flags) {
  std::map<std::string, Listed> listed;
  for (const size_t node : tree.order) {
    const TraceNode& of = tree.nodes[node];
    if (!of.IsOperator() || (!flags.detail && !tree.IsTopMost(node))) continue;
    Listed& one = listed[of.name];
    ++one.count;
    Json inputs = Json::array();
    if (flags.json) {
      for (const TraceValue& value : of.inputs) inputs.push_back(ParamJson(value));
    }
    one.inputs.insert(flags.json ? inputs.dump(-1, ' ', false, Json::error_handler_t::replace)
                                 : ValuesText(of.inputs));
  }
  if (flags.json) {
    Json all = Json::object();
    for (const auto& [name, one] : listed) {
      Json inputs = Json::array();
      for (const std::string& text : one.inputs) inputs.push_back(Json::parse(text));
      all[name] = {{"count", one.count}, {"inputs", inputs}};
    }
    return JsonFileText(all, 2);
  }
  std::vector<std::pair<std::string, Listed>> sorted(listed.begin(), listed.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second.count > b.second.count; });
  std::vector<std::vector<std::string>> rows = {{"Operator", "Count", "Different", "For example"}};
  for (const auto& [name, one] : sorted) {
    rows.push_back({base::Printable(name, 80), absl::StrCat(one.count),
                    absl::StrCat(one.inputs.size()), base::Printable(*one.inputs.begin(), 100)});
  }
  return output::TextTable(rows, {0, 3});
}

std::string StatsText(const traces::Trace& trace, const TraceTree& tree) {
  size_t operators = 0, top = 0, steps = 0;
  std::set<int64_t> threads, tensors;
  std::map<std::string, int> devices;
  for (size_t node = 0; node < tree.nodes.size(); ++node) {
    const TraceNode& of = tree.nodes[node];
    operators += of.IsOperator() ? 1 : 0;
    top += tree.IsTopMost(node) ? 1 : 0;
    steps += absl::StartsWith(of.name, "ProfilerStep") ? 1 : 0;
    if (of.IsOperator()) threads.insert(of.tid);
    traces::ForEachTensor(of.inputs, [&](const TraceTensor& t) {
      tensors.insert(t.id);
      ++devices[base::Printable(t.device, 20)];
    });
  }
  const traces::Storages storages = traces::FindStorages(tree);
  int64_t given = 0;
  for (const traces::Storage& storage : storages.all) given += storage.born == kNoNode ? 1 : 0;
  const auto timed = std::count_if(tree.nodes.begin(), tree.nodes.end(), [](const TraceNode& of) {
    return of.IsOperator() && of.duration_ns >= 0;
  });
  std::string text = absl::StrCat(
      "schema     ", trace.about.schema, "\nnodes      ", tree.nodes.size(), ": ", operators,
      " operators, ", top, " of them top-most; ", steps, " ProfilerStep; ", threads.size(),
      " threads\nrecorded   ",
      trace.about.finish_ms > trace.about.start_ms
          ? absl::StrCat((trace.about.finish_ms - trace.about.start_ms) / 1e3,
                         " s from start to finish; ")
          : "",
      timed, " operators have times\ntensors    ", tensors.size(), " ids, ", storages.all.size(),
      " storages, ", given, " of which no operator made\ndevices    ",
      absl::StrJoin(devices, ", ",
                    [](std::string* out, const auto& row) {
                      absl::StrAppend(out, row.first, " (", row.second, " arguments)");
                    }),
      "\n");
  if (!trace.about.kernels.empty())
    absl::StrAppend(&text, "kernels    ", trace.about.kernels.size(), ", of GPUs\n");
  if (!trace.about.torn.empty()) absl::StrAppend(&text, "torn       ", trace.about.torn, "\n");
  return text;
}

std::string TensorsText(const TraceTree& tree, const TraceFlags& flags) {
  const traces::Storages storages = traces::FindStorages(tree);
  std::vector<traces::TensorLife> lives = traces::TensorLives(tree, storages);
  if (flags.top > 0) {
    std::stable_sort(lives.begin(), lives.end(), [](const auto& a, const auto& b) {
      return traces::BytesOf(a.tensor) > traces::BytesOf(b.tensor);
    });
    lives.resize(std::min(lives.size(), static_cast<size_t>(flags.top)));
  }
  const auto id = [&](size_t node) { return tree.nodes[node].id; };
  const auto node_text = [&](size_t node) {
    return node == kNoNode ? "-" : traces::NodeText(tree.nodes[node]);
  };
  Json all = Json::array();
  std::vector<std::vector<std::string>> rows = {
      {"Tensor", "Storage", "Is", "Bytes", "Made by", "First use", "Last use", "Uses"}};
  for (const traces::TensorLife& life : lives) {
    const TraceTensor& tensor = life.tensor;
    if (flags.json) {
      Json row = {{"id", tensor.id},         {"storage", tensor.storage},
                  {"dtype", tensor.dtype},   {"shape", tensor.sizes},
                  {"device", tensor.device}, {"bytes", traces::BytesOf(tensor)},
                  {"uses", life.uses}};
      if (tensor.has_strides) row["strides"] = tensor.strides;
      if (life.made != kNoNode) row["made_by"] = id(life.made);
      if (life.first_use != kNoNode) row["first_use"] = id(life.first_use);
      if (life.last_use != kNoNode) row["last_use"] = id(life.last_use);
      all.push_back(std::move(row));
      continue;
    }
    rows.push_back({absl::StrCat(tensor.id), absl::StrCat(tensor.storage), TensorText(tensor),
                    base::ByteText(std::max<int64_t>(traces::BytesOf(tensor), 0)),
                    node_text(life.made), node_text(life.first_use), node_text(life.last_use),
                    absl::StrCat(life.uses)});
  }
  if (flags.json) return JsonFileText(all);
  return output::TextTable(rows, {2, 4, 5, 6});
}

std::string TreeText(const TraceTree& tree, const TraceFlags& flags) {
  std::string text;
  std::vector<std::pair<size_t, size_t>> open;  // nodes and their depths
  for (auto root = tree.roots.rbegin(); root != tree.roots.rend(); ++root)
    open.push_back({*root, 0});
  while (!open.empty()) {
    const auto [node, depth] = open.back();
    open.pop_back();
    const TraceNode& of = tree.nodes[node];
    absl::StrAppend(&text, std::string(2 * depth, ' '), "(", of.id, ") ",
                    base::Printable(of.name, 80));
    if (of.IsOperator())
      absl::StrAppend(&text, "(", ValuesText(of.inputs), ") -> ", ValuesText(of.outputs));
    absl::StrAppend(&text, "\n");
    if (of.IsOperator() && !flags.detail) continue;
    for (auto child = tree.children[node].rbegin(); child != tree.children[node].rend(); ++child)
      open.push_back({*child, depth + 1});
  }
  return text;
}

absl::StatusOr<std::string> NodeDetails(const TraceTree& tree, int64_t id) {
  for (size_t node = 0; node < tree.nodes.size(); ++node) {
    const TraceNode& of = tree.nodes[node];
    if (of.id != id) continue;
    const std::string children = absl::StrJoin(
        tree.children[node], ", ",
        [&](std::string* out, size_t child) { out->append(traces::NodeText(tree.nodes[child])); });
    return absl::StrCat(traces::NodeText(of), "\nschema     ", base::Printable(of.op_schema, 400),
                        "\nparent     ", of.ctrl_deps, "; rf_id ", of.rf_id, ", seq_id ", of.seq_id,
                        ", scope ", of.scope, ", thread ", of.tid, ", forward thread ", of.fw_tid,
                        "\nchildren   ", children, "\narguments  ", ValuesText(of.inputs), "\n",
                        Neighbours(tree, id, of.inputs, true), "results    ",
                        ValuesText(of.outputs), "\n", Neighbours(tree, id, of.outputs, false));
  }
  return absl::NotFoundError(absl::StrCat("no node of the trace has the id ", id));
}

std::string ValidationText(const traces::Trace& trace, const TraceTree& tree, bool& errors) {
  int operators = 0, collectives = 0, triton = 0;
  for (size_t node = 0; node < tree.nodes.size(); ++node) {
    if (!tree.IsTopMost(node)) continue;
    ++operators;
    collectives += tree.nodes[node].name == "record_param_comms" ? 1 : 0;
    triton += absl::StrContains(tree.nodes[node].name, "triton") ? 1 : 0;
  }
  std::string text = absl::StrCat("num ops = ", operators, ", num comms = ", collectives,
                                  ", num triton ops = ", triton, "\n");
  errors = false;
  for (const traces::Finding& finding : traces::Validate(trace, tree)) {
    errors |= finding.error;
    absl::StrAppend(
        &text, finding.error ? "error  " : "note   ", finding.kind,
        finding.nodes.size() > 1 ? absl::StrCat(" (", finding.nodes.size(), " nodes)") : "", ": ",
        finding.text, "\n");
  }
  absl::StrAppend(&text, "Trace validation result = ", errors ? "False" : "True", "\n");
  return text;
}

}  // namespace assay::trace
