"""text_file(): a file whose lines the tables make. Example: text_file(name = "rows", out = "rows.textproto", lines = operator_rows(OPERATORS))"""

def _text_file_impl(ctx):
    ctx.actions.write(ctx.outputs.out, "".join(ctx.attr.lines))
    return [DefaultInfo(files = depset([ctx.outputs.out]), runfiles = ctx.runfiles([ctx.outputs.out]))]

text_file = rule(
    implementation = _text_file_impl,
    doc = "Writes the lines, which end as they say, to a file.",
    attrs = {
        "lines": attr.string_list(doc = "of the file, each with its end of line"),
        "out": attr.output(mandatory = True, doc = "the file"),
    },
)
