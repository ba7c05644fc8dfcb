"""run_step(): how a repository rule starts another program."""

def run_step(ctx, what, arguments, environment = {}):
    """Runs a program of a repository rule; its complaint becomes the rule's error. Gives its standard output."""
    ctx.report_progress(what)
    result = ctx.execute(arguments, timeout = 3600, environment = environment)
    if result.return_code:
        fail("@%s: %s failed:\n%s" % (ctx.name, what, result.stderr or result.stdout))
    return result.stdout
