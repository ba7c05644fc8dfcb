"""Writes the file of this folder, which foreign_runtimes_test.cc calls.

    python3 benchmarks/backends/testdata/write.py FOLDER     # with onnx 1.23.2
"""

import os
import sys

import onnx
from onnx import TensorProto, helper

nodes = [
    helper.make_node("MatMul", ["x", "weight"], ["product"]),  # of as many rows as x
    helper.make_node("Gather", ["table", "ids"], ["rows"]),
]
inputs = [
    helper.make_tensor_value_info("x", TensorProto.FLOAT, ["batch", 3]),
    helper.make_tensor_value_info("ids", TensorProto.INT64, [2]),
]
outputs = [
    helper.make_tensor_value_info("product", TensorProto.FLOAT, ["batch", 2]),
    helper.make_tensor_value_info("rows", TensorProto.FLOAT, [2, 2]),
]
constants = [
    helper.make_tensor("weight", TensorProto.FLOAT, [3, 2], [1, 2, 3, 4, 5, 6]),
    helper.make_tensor("table", TensorProto.FLOAT, [4, 2], [0, 1, 10, 11, 20, 21, 30, 31]),
]
graph = helper.make_graph(nodes, "two", inputs, outputs, constants)
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=10)
onnx.checker.check_model(model, full_check=True)
onnx.save(model, os.path.join(sys.argv[1], "two.onnx"))
