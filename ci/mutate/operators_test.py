"""Tests each mutation operator on small C++ texts, also on those that it must leave alone."""

import unittest

from ci.mutate.cpp_source import CppSource
from ci.mutate.mutants import OPERATORS

# Operator, statement in a function, all that it becomes.
_STATEMENTS = [
    ("activation", "y = x.relu();", ["y = at::gelu(x);"]),
    ("activation", "y = at::gelu(f(x), \"tanh\");", ["y = at::silu(f(x));"]),
    ("activation", "y = x.relu_();", ["y = x.sigmoid_();"]),
    ("activation", "k = Activation::kHardswish;", ["k = Activation::kSilu;"]),
    ("activation", "y = x.view({1});", []),
    ("boundary", "b = i < n;", ["b = i <= n;"]),
    ("boundary", "b = i >= n;", ["b = i > n;"]),
    ("boundary", "b = f<3>(n);", []),
    ("branch", "if (a) b();", ["if (!(a)) b();"]),
    ("branch", "if (a == 1) b();", ["if (!(a == 1)) b();"]),
    ("branch", "y = a ? b : c;", ["y = !(a) ? b : c;"]),
    ("branch", "b = k == \"silu\";", ["b = k != \"silu\";"]),
    ("branch", "while (a) b();", []),
    ("constant", "n = 3;", ["n = 4;", "n = 2;"]),
    ("constant", "n = 0;", ["n = 1;"]),
    ("constant", "n = -1;", ["n = 0;", "n = -2;"]),
    ("constant", "n = 1.5;", ["n = 1.65;"]),
    ("constant", "n = 0.1;", []),
    ("constant", "n = std::array<int, 3>();", []),
    ("dropped call", "y = norm.Forward(f(x));", ["y = f(x);"]),
    ("dropped call", "y = up_->Forward(x);", ["y = x;"]),
    ("dropped call", "y = x.mul(2).relu();", ["y = x.mul(2);"]),
    ("dropped call", "y = at::softmax(x, -1);", ["y = x;"]),
    ("dropped call", "y = Activate(kRelu, x);", ["y = x;"]),
    ("dropped call", "y.fill_(1);", [";"]),
    ("dropped call", "v.reserve(8);", []),
    ("dropped call", "y = x.size(1);", []),
    ("dropped option", "f({.in = 1, .bias = true, .eps = e});", ["f({.in = 1, .eps = e});", "f({.in = 1, .bias = true});"]),
    ("dropped option", "f({.eps = e, .in = 1});", ["f({.in = 1});"]),
    ("dropped option", "f({.eps = e});", ["f({});"]),
    ("dropped term", "y = a + b * c;", ["y = a;", "y = a + b;"]),
    ("dropped term", "y = x.add(b).sub(c);", ["y = x.add(b);", "y = x.sub(c);"]),
    ("dropped term", "n += 2;", [";"]),
    ("dropped term", "s = name + \".weight\";", []),
    ("epsilon", "f({.eps = 1e-5});", ["f({.eps = 0.0001});", "f({.eps = 1.1e-05});"]),
    ("epsilon", "y = x / (n + 1e-12);", ["y = x / (n + 1e-11);", "y = x / (n + 1.1e-12);"]),
    ("epsilon", "y = x.view(0);", []),
    ("flag", "f(x, /*keepdim=*/true);", ["f(x, /*keepdim=*/false);"]),
    ("fraction", "f({.momentum = 0.1});", ["f({.momentum = 0.9});", "f({.momentum = 0.11});"]),
    ("fraction", "f(0.5);", ["f(0.55);"]),
    ("function", "n = std::min(a, b);", ["n = std::max(a, b);"]),
    ("function", "y = x.mean({2, 3});", ["y = x.sum({2, 3});"]),
    ("function", "y = at::max_pool2d(x, 2);", ["y = at::avg_pool2d(x, 2);"]),
    ("logic", "b = a && c;", ["b = a || c;"]),
    ("order", "y = f(a, b);", ["y = f(b, a);"]),
    ("order", "y = f(a, 1);", []),
    ("order", "y = f(a, b());", []),
    ("order", "y = {a, b()};", ["y = {b(), a};"]),
    ("order", "y = f(a, a);", []),
    ("order", "y = at::cat({a, b, c}, 1);", ["y = at::cat({b, a, c}, 1);", "y = at::cat({a, c, b}, 1);"]),
    ("order", "y = x.permute({0, 2, 1});", ["y = x.permute({2, 0, 1});", "y = x.permute({0, 1, 2});"]),
    ("order", "y = x.transpose(1, 2);", []),
    ("order", "y = x.mean({1, 2});", []),
    ("order", "b = at::equal(x, y);", []),
    ("order", "y = at::constant_pad_nd(x, {0, right});", []),
    ("order", "y = new std::set<std::string, std::less<>>{a, b};", []),
    ("order", "const std::map<int, int> y = {{1, 2}, {3, 4}};", ["const std::map<int, int> y = {{2, 1}, {3, 4}};",
                                                                "const std::map<int, int> y = {{1, 2}, {4, 3}};"]),
    ("order", "y = new std::vector<int>{a, b};", ["y = new std::vector<int>{b, a};"]),
    ("padding", "y = at::constant_pad_nd(x, {0, right, 0, 0});", ["y = at::constant_pad_nd(x, {right, 0, 0, 0});"]),
    ("padding", "f({.kernel = 3, .padding = 1});", ["f({.kernel = 3, .padding = 2});", "f({.kernel = 3, .padding = 0});"]),
    ("product", "n = a * b;", ["n = a / b;"]),
    ("product", "n = 1 << b;", ["n = 1 >> b;"]),
    ("product", "y = x.mul_(b);", ["y = x.div_(b);"]),
    ("product", "n = *p;", []),
    ("sign", "n = a + b;", ["n = a - b;"]),
    ("sign", "n = -a;", ["n = a;"]),
    ("sign", "y = x.sub(b);", ["y = x.add(b);"]),
    ("sign", "y = x.neg();", ["y = x;"]),
    ("sign", "s = \"a\" + b;", []),
]
# Code that only refuses bad input, and text that is no code.
_LEFT_ALONE = [
    "if (n < 1) return absl::InvalidArgumentError(absl::StrCat(\"want \", 1));",
    "if (n < 1) { return absl::InvalidArgumentError(\"x\"); }",
    "if (!status.ok()) return status;",
    "TORCH_CHECK_VALUE(x.numel() > 1, \"small\");",
    "CheckImage(x, {.minimum = 3});",
    "static_assert(sizeof(x) < 3);",
    "switch (k) { case Activation::kRelu: break; }",
    "// n = 3 + 4",
    "s = \"n = 3 + 4\";",
]


def _changed(operator, text):
    source = CppSource("x.cc", text.encode())
    return [change.applied(source.data).decode() for node in source.nodes() for function in OPERATORS[operator]
            for change in function(source, node)]


class OperatorsTest(unittest.TestCase):
    def test_statements(self):
        for operator, statement, wanted in _STATEMENTS:
            with self.subTest(operator=operator, statement=statement):
                begin, end = "void F() {\n  ", "\n}\n"
                self.assertEqual([begin + new + end for new in wanted], _changed(operator, begin + statement + end))

    def test_every_operator_has_a_statement_that_it_changes(self):
        self.assertEqual(set(OPERATORS), {operator for operator, _, wanted in _STATEMENTS if wanted})

    def test_what_refuses_bad_input_is_left_alone(self):
        for statement in _LEFT_ALONE:
            for operator in OPERATORS:
                with self.subTest(operator=operator, statement=statement):
                    self.assertEqual([], _changed(operator, "void F() {\n  %s\n}\n" % statement))

    def test_a_function_that_checks_or_makes_mistakes_is_left_alone(self):
        for operator in OPERATORS:
            for name in ("Check", "CheckShape", "Program::MakeMistake"):
                text = "absl::Status %s(int n) {\n  if (n < 1 + 2) Count(n);\n  return Ok();\n}\n" % name
                self.assertEqual([], _changed(operator, text))

    def test_members_defaults_and_initializers_of_classes_are_found(self):
        self.assertEqual(["struct O { double eps = 0.0001; };", "struct O { double eps = 1.1e-05; };"],
                         _changed("epsilon", "struct O { double eps = 1e-5; };"))
        self.assertEqual(["struct O { Extent padding = 1; };"], _changed("padding", "struct O { Extent padding = 0; };"))
        self.assertEqual(["A::A() : n_(4) {}", "A::A() : n_(2) {}"], _changed("constant", "A::A() : n_(3) {}"))

    def test_a_header_that_the_new_function_needs_is_included_once(self):
        text = "#include <ATen/ops/%s.h>\n\nat::Tensor F(at::Tensor x) { return at::gelu(x); }\n"
        wanted = "#include <ATen/ops/silu.h>\n#include <ATen/ops/gelu.h>\n\nat::Tensor F(at::Tensor x) { return at::silu(x); }\n"
        self.assertEqual([wanted], _changed("activation", text % "gelu"))
        self.assertEqual([(text % "silu").replace("at::gelu", "at::silu")], _changed("activation", text % "silu"))


if __name__ == "__main__":
    unittest.main()
