"""What the compiler calls for C++: exceptions, dynamic_cast, static variables. Each case is C++ of its own, made from
random numbers; what it comes by, in which order, is one number."""

PRELUDE = r"""
#include <exception>
#include <stdexcept>
static unsigned long long seen;
static void note(int k) { seen = seen * 31 + k; }
struct Guard {
    int k;
    ~Guard() { note(k + 5 * std::uncaught_exceptions()); }
};
struct A {
    int v;
    A(int v) : v(v) {}
    A(const A &other) : v(other.v) { note(3); }
    virtual ~A() { note(4); }
    virtual int id() const { return v; }
};
struct B : A {
    B() : A(2) {}
    int id() const override { return 10 + v; }
};
struct Other {
    virtual ~Other() {}
    int unused = 5;
};
struct Behind : Other, A {
    Behind() : A(6) {}
};
struct Hidden : private A, Other {
    Hidden() : A(7) {}
    A *inside() { return this; }
};
struct Left : A {
    Left() : A(8) {}
};
struct Right : A {
    Right() : A(9) {}
};
struct Twice : Left, Right {};
"""

THROWS = ("throw 5;", "throw 'c';", "throw A(1);", "throw B();", "throw Behind();", "throw Hidden();", "throw Twice();", "throw std::out_of_range(\"far\");", "throw std::runtime_error(\"b\");", "")
CLAUSES = {
    "A &e": "note(40 + e.id());", "A e": "note(50 + e.id());", "const B &e": "note(60 + e.id());", "int n": "note(70 + n);", "char n": "note(80 + n);", "Other &e": "note(e.unused);",
    "const std::logic_error &e": "note(e.what()[0]);", "std::exception &e": "note(e.what()[0] + 1);", "const Left &e": "note(90 + e.v);", "...": "note(11);",
}


def attempt(c, depth):
    """A statement that throws and catches, or lets others catch."""
    inner = attempt(c, depth - 1) if depth else ""
    chosen = [clause for clause in CLAUSES if c.number(0, 2) == 0 and clause != "..."] + ["..."] * (c.number(0, 3) == 0 or not depth)
    chosen = chosen or ["int n"]
    after = c.pick("", "", "throw;", "throw 'z';", attempt(c, 0) if depth else "")
    handlers = " ".join(f"catch ({clause}) {{ Guard g{{{k + 20}}}; {CLAUSES[clause]} {after if k == 0 else ''} }}" for k, clause in enumerate(chosen))
    return f"try {{ Guard g{{{c.number(1, 4)}}}; {inner} {c.pick(*THROWS)} note(12); }} {handlers}"


def throwing(c):
    """Whatever comes out is caught: nothing ends the program."""
    c.line("seen = 0;")
    for _ in range(2):
        c.line(f"try {{ {attempt(c, c.number(1, 2))} }} catch (...) {{ note(13); }}")
    c.line("note(std::uncaught_exceptions());")
    c.exact("seen")


def casting(c):
    kind = ("A(1)", "B()", "Behind()", "Hidden()", "Twice()", "Left()")[c.index % 6]
    source = c.pick("A", "Other") if kind == "Behind()" else "Other" if kind == "Hidden()" else c.pick("Left", "Right") if kind == "Twice()" else "A"
    c.line(f"auto whole = {kind};")
    c.line(f"{source} *from = &whole;")
    for to in ("A", "B", "Behind", "Other", "Left", "Right", "Twice", "Hidden"):
        c.line(f"{to} *as_{to} = dynamic_cast<{to} *>(from);")
        c.exact(f"as_{to} ? (char *)as_{to} - (char *)&whole : -1")
    c.line("seen = 0;")
    if kind == "Hidden()":
        c.exact("dynamic_cast<Hidden *>(whole.inside()) != nullptr")


def initialising(c):
    """A static variable whose constructor throws is tried again."""
    throws = c.number(0, 3)
    c.line("static int tries;\nseen = 0;")
    c.line(f"struct Once {{ Once() {{ note(1); if (tries++ < {throws}) throw 1; }} }};")
    c.line("for (int k = 0; k < 5; k++)\n    try { static Once once; note(2); } catch (int) { note(3); }")
    c.exact("seen")


def fill(table):
    table.include()

    def row(name, mutant, write, cases):
        table.row(name, mutant, prelude=PRELUDE, cases=cases, language="cpp")(write)

    row("__cxa_throw", ("record()->uncaught++", "record()->uncaught += 2"), throwing, 8)
    row("__cxa_begin_catch", ("mine->uncaught--", "mine->uncaught"), throwing, 4)
    row("__cxa_end_catch", ("if (h->destructor)", "if (!h->destructor)"), throwing, 4)
    row("__cxa_rethrow", ("mine->uncaught++", "mine->uncaught"), throwing, 8)
    row("__cxa_get_exception_ptr", ("->adjusted", "->next"), throwing, 8)
    row("__model_catches", ("found == 1 && is_public", "found > 0"), throwing, 12)
    row("_ZSt19uncaught_exceptionsv", ("record()->uncaught", "!record()->uncaught"), throwing, 2)
    row("__dynamic_cast", ("given_is_public && all.count == 1 && all.is_public[0]", "all.count"), casting, 12)
    row("__cxa_guard_acquire", ("needed = !*", "needed = *"), initialising, 4)
    row("__cxa_guard_release", ("= 1", "= 0"), initialising, 4)
    row("__cxa_guard_abort", ("g->busy = 0", "g->done = 1; g->busy = 0"), initialising, 4)
