"""<signal.h>: actions that are no functions."""


def fill(table):
    table.include("signal.h")

    @table.row("signal", ("unsigned char old = is_ignored[number]", "unsigned char old = 0"), cases=16)
    def signal(c):
        number = c.pick(1, 2, 9, 15, 19, 32, 33, 34, 64, 65, 0, -1, 9999)
        c.exact(f"(long)signal({number}, {c.pick('SIG_IGN', 'SIG_DFL', 'SIG_ERR')})")
        c.exact_errno()
        c.exact(f"(long)signal({number}, SIG_DFL)")
        c.exact(f"(long)signal({number}, SIG_DFL)")
