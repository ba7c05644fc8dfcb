"""A C++ file as a tree of syntax, less the parts that no mutant changes.

    source = CppSource("models/swin/swin.cc", data)
    for node in source.nodes(): node.type, source.text(node)

Left out: comments, strings, includes, template arguments and labels of `case`; what refuses bad input, which is functions and
calls called Check..., TORCH_CHECK and the like, calls that make an error or its message, and an `if` that only returns one, since
a mutant there would change which input is refused, and no number; and functions called ...Mistake, which are faults already.
"""

import re

import tree_sitter
import tree_sitter_cpp

_PARSER = tree_sitter.Parser(tree_sitter.Language(tree_sitter_cpp.language()))
_LEFT_OUT = {"ERROR", "comment", "preproc_include", "static_assert_declaration", "string_literal", "template_argument_list"}
_REFUSES = re.compile(r"(\b|_)(T?CHECK\w*|Check\w*|\w+Error|StrCat|StrFormat|printf|fprintf|abort)$")
_NOT_COMPUTED = re.compile(r"(\w+::)*(Check[A-Z(]|\w*Mistake)")
_IS_STATUS = re.compile(r"\bstatus\b|\.ok\(\)")


class CppSource:
    def __init__(self, path, data):
        self.path, self.data = path, data
        self.root = _PARSER.parse(data).root_node

    def text(self, node):
        return self.data[node.start_byte:node.end_byte].decode(errors="replace")

    def nodes(self):
        """All nodes that a mutant may change, in the order of the file."""
        waiting = [self.root]
        while waiting:
            node = waiting.pop()
            if self._left_out(node):
                continue
            yield node
            waiting.extend(reversed(node.children))

    def called(self, node):
        """The name of what a call_expression calls, without scope and object: "cat" of at::cat(x); "" where it has none."""
        function = node.child_by_field_name("function")
        if function is None:
            return ""
        while function.type in ("qualified_identifier", "field_expression", "template_function"):
            inner = function.child_by_field_name("field" if function.type == "field_expression" else "name")
            if inner is None:
                break
            function = inner
        return self.text(function)

    def object_of(self, node):
        """The node of `x` in the call x.relu(); None of a call without an object."""
        function = node.child_by_field_name("function")
        return function.child_by_field_name("argument") if function and function.type == "field_expression" else None

    def _left_out(self, node):
        if node.type in _LEFT_OUT or node.is_missing:
            return True
        if node.type == "call_expression":
            return bool(_REFUSES.search(self.called(node)))
        if node.type == "function_definition":
            declarator = node.child_by_field_name("declarator")
            return bool(_NOT_COMPUTED.match(self.text(declarator))) if declarator else False
        if node.parent is not None and node.parent.type == "case_statement":
            return node == node.parent.child_by_field_name("value")
        return node.type == "if_statement" and self._only_refuses(node)

    def _only_refuses(self, node):
        """Whether an `if` without `else` does nothing but end the function with an error."""
        if node.child_by_field_name("alternative") is not None:
            return False
        if _IS_STATUS.search(self.text(node.child_by_field_name("condition"))):
            return True
        body = node.child_by_field_name("consequence")
        statements = body.named_children if body.type == "compound_statement" else [body]
        return len(statements) == 1 and any(self._is_refusal(child) for child in _below(statements[0]))

    def _is_refusal(self, node):
        return node.type == "call_expression" and bool(_REFUSES.search(self.called(node)))


def arguments_of(node):
    """The named children of a list of arguments or initializers, comments left out."""
    return [child for child in node.named_children if child.type != "comment"]


def _below(node):
    yield node
    for child in node.children:
        yield from _below(child)
