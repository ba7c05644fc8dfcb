"""forbidden_arrow_test(): checks that a package does not depend on a folder, directly or indirectly.

It is an aspect and not a genquery, because a genquery loads both branches of every select() and would download the CUDA
flavour of LibTorch for a fact about the CPU one. Example:

    forbidden_arrow_test(
        name = "models_do_not_know_benchmarks",
        sources = ["//models/resnet"],
        forbidden = ["//benchmarks"],
    )

ci/arrows.py checks the direct arrows between all packages of the tree.
"""

load(":cc_unit.bzl", "TOGETHER")

_ReachInfo = provider(doc = "Labels that a target depends on.", fields = {"labels": "depset of strings"})

_EDGES = ["actual", "data", "deps", "srcs"]

def _targets(attributes):
    result = []
    for edge in _EDGES:
        value = getattr(attributes, edge, None)
        if type(value) == "list":
            result += value
        elif type(value) == "Target":
            result.append(value)
    return [t for t in result if _ReachInfo in t]

def _reach_impl(target, ctx):
    if TOGETHER in ctx.rule.attr.tags:  # compiles units of several packages (cc_unit.bzl), each of which has its own needs
        return [_ReachInfo(labels = depset())]
    label = "%s//%s:%s" % (
        "@" + target.label.workspace_name if target.label.workspace_name else "",
        target.label.package,
        target.label.name,
    )
    return [_ReachInfo(labels = depset([label], transitive = [t[_ReachInfo].labels for t in _targets(ctx.rule.attr)]))]

_reach = aspect(implementation = _reach_impl, attr_aspects = _EDGES)

def _lies_in(label, folder):
    return label == folder or label.startswith(folder + "/") or label.startswith(folder + ":")

def _forbidden_arrow_test_impl(ctx):
    reached = {}
    for source in ctx.attr.sources:
        for label in source[_ReachInfo].labels.to_list():
            reached[label] = True
    if len(reached) <= len(ctx.attr.sources) and not ctx.attr.leaf:
        fail("%s: nothing is reached from %s, so this test could not fail" % (ctx.label, ctx.attr.sources))
    found = [
        label
        for label in sorted(reached)
        for prefix in ctx.attr.forbidden
        if _lies_in(label, prefix) and not [a for a in ctx.attr.allowed if _lies_in(label, a)]
    ]
    script = ctx.actions.declare_file(ctx.label.name + ".sh")
    lines = ["#!/bin/sh", "echo 'looked at %d targets'" % len(reached)]
    lines += ["echo 'forbidden: %s'" % label for label in found]
    ctx.actions.write(script, "\n".join(lines + ["exit %d" % (1 if found else 0)]) + "\n", is_executable = True)
    return [DefaultInfo(executable = script)]

forbidden_arrow_test = rule(
    implementation = _forbidden_arrow_test_impl,
    attrs = {
        "allowed": attr.string_list(doc = "parts of the forbidden folders that may be reached"),
        "forbidden": attr.string_list(mandatory = True, doc = "labels or folders, e.g. //benchmarks or @libtorch"),
        "leaf": attr.bool(doc = "the sources are known to depend on nothing"),
        "sources": attr.label_list(mandatory = True, aspects = [_reach]),
    },
    test = True,
)
