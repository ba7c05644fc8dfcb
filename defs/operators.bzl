"""Constructors for benchmarks/operators/*.bzl: rows that are products of an operator, sizes and dtypes, with and without
backward.

    operator(
        "mm",
        call = "aten::mm",
        inputs = [input("self", ["m", "k"]), input("mat2", ["k", "n"])],
        outputs = [result("result", ["m", "n"], sums("k"))],
        gradients = {"self": sums("n"), "mat2": sums("m")},
        rows = "m",
        independent_rows = 128,
        sizes = [at(m = 64, k = 96, n = 80), at(m = 4096, k = 4096, n = 4096)],
    )

makes mm_fp32_m64_k96_n80, mm_bf16_m64_k96_n80, the same names with _backward behind them, and as many of the second size.
The first size is the one whose tests run by default; those of the others are tagged `large`. Names of inputs, outputs and
arguments are those of the operator's schema.

Pure data: nothing here makes a target (defs/benchmarks.bzl does).
"""

load(":cases.bzl", "nondeterminism_of", "skips_of")
load(":operator_limits.bzl", "DTYPES_OF_OPERATORS", "rounded_verify_of", "verify_of")
load(":textproto.bzl", "enum", "parameter_map", "textproto")
load(":variants.bzl", "check_name", "output", "uniform")

_FLOATS = [None, enum("FP32"), enum("BF16"), enum("FP16")]

def size(product):
    """A number in arguments that is a product of sizes: size("c"), [size("2*h")]."""
    return struct(assay_size = product)

def at(backward = True, dtypes = None, **sizes):
    """One combination of sizes, in the order in which they stand in a case's name.

    Args:
      backward: whether there are cases with a backward step of this size.
      dtypes: None: the row's.
      **sizes: letters and their numbers, 1 and above.
    Returns:
      a struct for operator().
    """
    for letters, number in sizes.items():
        if not letters.isalpha() or not letters.islower() or type(number) != "int" or number < 1:
            fail("at(%s = %r): a size is called by lower-case letters and is an integer from 1 on" % (letters, number))
    return struct(backward = backward, dtypes = dtypes, sizes = sizes)

def result(name, shape, error, dtype = None, differentiable = True):
    """One of the tensors that an operator returns.

    Args:
      name: of the tensor.
      shape: each dimension a number, a size or a product of them; []: a scalar.
      error: sums(), relative(), copies() or counts() of operator_limits.bzl.
      dtype: "INT64", ...; None: the case's.
      differentiable: False for floats that no gradient comes back through.
    Returns:
      a struct for operator().
    """
    _check_error("result(%r)" % name, error)
    return struct(output = output(name, shape, dtype, error.rule), error = error, differentiable = differentiable)

def _check_error(what, error):
    if not hasattr(error, "assay_error"):
        fail("%s: error %r; one of sums(), relative(), copies(), counts()" % (what, error))

def operator(name, call, inputs, outputs, sizes, rows = "", independent_rows = 0, arguments = {}, gradients = {}, dtypes = ["fp32", "bf16"], gradient_dtypes = None, skips = [], nondeterministic = [], truth = ""):
    """One operator with all its cases.

    Args:
      name: begins the names of its cases; unique in the package.
      call: "aten::mm", "aten::add.Tensor".
      inputs: list of input() of variants.bzl; "tensors.0", "tensors.1" are elements of a list.
      outputs: list of result(); later ones that the operator returns may be left out.
      sizes: list of at(), the first with tests that run by default.
      rows: the size that is the first dimension of what has rows, which --batch changes; "": there is none.
      independent_rows: the reference is computed for this many rows at most, because no row of a result depends on another;
        0: for all. With backward it is always computed for all.
      arguments: of the operator, by name: numbers, booleans, texts, lists of integers, size(), None.
      gradients: input -> error of its gradient; {}: there are no cases with backward.
      dtypes: "fp32", "bf16", "fp16". The tests of fp16 do not run by default.
      gradient_dtypes: those of them with backward; None: all.
      skips: list of skip() of cases.bzl, whose matching() knows dtype, backward and sizes.
      nondeterministic: list of nondeterministic() of cases.bzl; its outputs are results and gradients, "self.grad".
      truth: the operator that computes the reference, with the same inputs; "": `call`.
    Returns:
      a struct for benchmarks().
    """
    check_name("operator", name)
    what = "operator(%r)" % name
    if not sizes or not outputs:
        fail("%s: at least one at() in sizes and one result() in outputs are required" % what)
    for given in outputs:
        if not hasattr(given, "differentiable"):
            fail("%s: output %r; write result(%r, [...], sums(...))" % (what, given, given))
    for combination in sizes:
        if sorted(combination.sizes) != sorted(sizes[0].sizes):
            fail("%s: sizes %s here and %s there; each at() names the same" %
                 (what, ", ".join(sizes[0].sizes), ", ".join(combination.sizes)))
        for dtype in combination.dtypes or dtypes:
            if dtype not in DTYPES_OF_OPERATORS:
                fail("%s: dtype %r; one of %s (float64 is what the truth is computed in)" %
                     (what, dtype, ", ".join(DTYPES_OF_OPERATORS)))
    if rows and rows not in sizes[0].sizes:
        fail("%s: rows = %r; one of the sizes %s" % (what, rows, ", ".join(sizes[0].sizes)))
    known = [i.name for i in inputs]
    for input_name, error in gradients.items():
        _check_error("%s, gradient of %r" % (what, input_name), error)
        if input_name not in known:
            fail("%s: a gradient of %r, which is no input; one of %s" % (what, input_name, ", ".join(known)))
    compared = [o.output.name for o in outputs] + [i + ".grad" for i in gradients]
    for declared in nondeterministic:
        for output_name in declared.outputs:
            if output_name not in compared:
                fail("%s: nondeterministic output %r; one of %s" % (what, output_name, ", ".join(compared)))
    return struct(
        name = name,
        call = call,
        inputs = inputs,
        outputs = outputs,
        sizes = sizes,
        rows = rows,
        independent_rows = independent_rows,
        arguments = arguments,
        gradients = gradients,
        dtypes = dtypes,
        gradient_dtypes = dtypes if gradient_dtypes == None else gradient_dtypes,
        skips = skips,
        nondeterministic = nondeterministic,
        truth = truth,
    )

def _product(what, text, sizes):
    """The number of a text such as "c*3*3"."""
    number = 1
    for factor in text.split("*"):
        if factor.isdigit():
            number *= int(factor)
        elif factor in sizes:
            number *= sizes[factor]
        else:
            fail("%s: %r in %r is neither a number nor one of the sizes %s" % (what, factor, text, ", ".join(sizes)))
    return number

def _shape(what, shape, row, sizes):
    # --batch changes the dimension "batch".
    return ["batch" if row.rows and d == row.rows else str(_product(what, d, sizes)) for d in shape]

def _argument(what, value, sizes):
    if value == None:
        return "None"
    if type(value) == "list":
        return [_argument_number(what, item, sizes) for item in value]
    return _argument_number(what, value, sizes)

def _argument_number(what, value, sizes):
    return _product(what, value.assay_size, sizes) if hasattr(value, "assay_size") else value

def _distribution(what, distribution, sizes):
    """The value with numbers in place of the names of sizes."""
    kinds = {}
    for kind in dir(distribution):
        if kind in ("to_json", "to_proto"):
            continue
        fields, of_kind = {}, getattr(distribution, kind)
        for field in dir(of_kind):
            if field in ("to_json", "to_proto"):
                continue
            value = getattr(of_kind, field)
            if field.endswith("_parameter"):
                field, value = field[:-len("_parameter")], _product(what, value, sizes)
            fields[field] = value
        kinds[kind] = struct(**fields)
    return struct(**kinds)

def _input(what, given, row, sizes):
    return struct(
        name = given.name,
        dtype = given.dtype,
        shape = _shape(what, given.shape, row, sizes),
        distribution = _distribution(what, given.distribution, sizes),
    )

def _call(what, row, sizes, backward):
    """suite.proto's OperatorCall."""
    inputs = [_input(what, i, row, sizes) for i in row.inputs]
    outputs = [
        struct(
            name = r.output.name,
            dtype = r.output.dtype,
            shape = _shape(what, r.output.shape, row, sizes),
            rule = r.output.rule,
        )
        for r in row.outputs
    ]
    gradients = []
    if backward:
        for given in row.outputs:
            if given.differentiable and given.output.dtype in _FLOATS:
                start = struct(
                    name = given.output.name + ".grad",
                    dtype = given.output.dtype,
                    shape = given.output.shape,
                    distribution = uniform().assay_distribution,
                )
                inputs.append(_input(what, start, row, sizes))
        for given in row.inputs:
            if given.name in row.gradients:
                error = row.gradients[given.name]
                gradients.append(struct(
                    name = given.name + ".grad",
                    dtype = given.dtype,
                    shape = _shape(what, given.shape, row, sizes),
                    rule = enum(error.rule),
                ))
    return struct(
        name = row.call,
        inputs = inputs,
        arguments = parameter_map(what, {k: _argument(what, v, sizes) for k, v in row.arguments.items()}),
        outputs = outputs + gradients,
        backward = backward,
        truth = row.truth,
    )

def _case(row, combination, dtype, backward, package):
    """One case, as defs/benchmarks.bzl has them."""
    sizes = combination.sizes
    words = ["%s%d" % item for item in sizes.items()]
    name = "_".join([row.name, dtype] + words + (["backward"] if backward else []))
    what = "//%s:%s" % (package, name)
    batch = sizes[row.rows] if row.rows else 1
    errors = [r.error for r in row.outputs] + (list(row.gradients.values()) if backward else [])
    errors = [(e, _product(what, e.terms, sizes) if e.terms else 0) for e in errors]
    rounded = rounded_verify_of(errors) if dtype == "fp32" else {}
    values = dict(sizes, backward = backward, dtype = dtype)
    skips = skips_of(row, values)
    call = _call(what, row, sizes, backward)
    tags = ["operator=" + row.name, "dtype=" + dtype] + ["%s=%d" % item for item in sizes.items()]
    return struct(
        file = None,
        # The parts of an identity that defs/benchmarks.bzl reads for any case.
        identity = struct(model = row.name, dtype = dtype, batch = batch, execution = None, run = ""),
        key = name,
        large = combination != row.sizes[0] or dtype == "fp16",
        name = name,
        rows = min(batch, row.independent_rows) if row.independent_rows and not backward else batch,
        self_verified = True,
        execution_limits = [
            struct(dtype = enum("FP32"), matmul_precision = enum(p.upper()), verify = limits)
            for p, limits in rounded.items()
        ],
        skips = skips,
        tags = tags + (["backward"] if backward else []),
        message = struct(
            name = name,
            label = what,
            operator_call = call,
            dtype = enum(dtype.upper()),
            batch = batch,
            verify = verify_of(errors, dtype),
            skips = skips,
            nondeterministic = nondeterminism_of(row, values, [o.name for o in call.outputs]),
        ),
    )

def operator_cases(table, package):
    """Every case of a list of operator(), in its order."""
    names = {}
    cases = []
    for row in table:
        if row.name in names:
            fail("//%s: two operators are called %r" % (package, row.name))
        names[row.name] = True
        for combination in row.sizes:
            for dtype in combination.dtypes or row.dtypes:
                cases.append(_case(row, combination, dtype, False, package))
                if row.gradients and combination.backward and dtype in row.gradient_dtypes:
                    cases.append(_case(row, combination, dtype, True, package))
    return cases

def _plain(what, arguments):
    return parameter_map(what, {k: "None" if v == None else v for k, v in arguments.items() if not _is_sized(v)})

def _is_sized(value):
    return hasattr(value, "assay_size") or (type(value) == "list" and bool([v for v in value if hasattr(v, "assay_size")]))

def _sized(arguments):
    return [
        struct(
            name = name,
            list = type(value) == "list",
            products = [
                v.assay_size if hasattr(v, "assay_size") else str(v)
                for v in (value if type(value) == "list" else [value])
            ],
        )
        for name, value in sorted(arguments.items())
        if _is_sized(value)
    ]

def operator_rows(table):
    """The rows with the letters of their sizes, for programs that choose other sizes.

    Args:
      table: list of operator().
    Returns:
      the text of an OperatorRows (benchmarks/operators/kernel/kernel.proto), a list of lines.
    """
    return [
        "rows {\n" + textproto(struct(
            name = row.name,
            call = struct(
                name = row.call,
                truth = row.truth,
                inputs = [
                    struct(name = i.name, dtype = i.dtype, shape = i.shape, distribution = i.distribution)
                    for i in row.inputs
                ],
                outputs = [r.output for r in row.outputs],
                arguments = _plain(row.name, row.arguments),
            ),
            sized_arguments = _sized(row.arguments),
            errors = [
                struct(
                    kind = r.error.kind,
                    terms = r.error.terms,
                    roundings = r.error.roundings,
                    functions = float(r.error.functions),
                    largest = float(r.error.largest),
                )
                for r in row.outputs
            ],
            sizes = [
                struct(sizes = [struct(letter = k, number = v) for k, v in combination.sizes.items()])
                for combination in row.sizes
            ],
        )) + "}\n"
        for row in table
    ]
