"""Nodes of std::map and std::list, as libstdc++ lays them out; called by their names in its shared object."""

PRELUDE = """
struct node { int color; struct node *parent, *left, *right; };
void insert_node(_Bool left, struct node *n, struct node *under, struct node *header) __asm__("_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_");
struct node *erase_node(struct node *n, struct node *header) __asm__("_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_");
struct node *next_node(struct node *n) __asm__("_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base");
const struct node *next_constant(const struct node *n) __asm__("_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base");
struct node *previous_node(struct node *n) __asm__("_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base");
const struct node *previous_constant(const struct node *n) __asm__("_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base");
static struct node nodes[8];
static void clear_tree(struct node *header) {
    header->color = 0;
    header->parent = 0;
    header->left = header->right = header;
}
static void insert_number(int k, struct node *header) {
    struct node *under = header, *at = header->parent;
    _Bool left = 1;
    while (at) {
        under = at;
        left = k < at - nodes;
        at = left ? at->left : at->right;
    }
    insert_node(left, &nodes[k], under, header);
}
static int number_of(const struct node *n, const struct node *header) {
    return !n ? 15 : n == header ? 14 : (int)(n - nodes);
}
static long long shape_of(const struct node *n, const struct node *header) {
    return n->color | number_of(n->parent, header) << 4 | number_of(n->left, header) << 8 | number_of(n->right, header) << 12;
}
"""

LINKS = """
struct link { struct link *next, *previous; };
void hook(struct link *self, struct link *before) __asm__("_ZNSt8__detail15_List_node_base7_M_hookEPS0_");
void unhook(struct link *self) __asm__("_ZNSt8__detail15_List_node_base9_M_unhookEv");
"""


def fill(table):
    table.include("stddef.h")

    def tree(symbol, mutant, then):
        def write(c):
            numbers = list(range(8))
            c.random.shuffle(numbers)
            chosen = numbers[: c.number(1, 8)]
            c.line("struct node header;\nclear_tree(&header);")
            for k in chosen:
                c.line(f"insert_number({k}, &header);")
            then(c, chosen)
            c.exact("shape_of(&header, &header)")

        table.row(symbol, mutant, PRELUDE, cases=8)(write)

    def look(c, chosen):
        for k in chosen:
            c.exact(f"shape_of(&nodes[{k}], &header)")

    def erase(c, chosen):
        gone = c.random.sample(chosen, c.number(1, len(chosen)))
        for k in gone:
            c.exact(f"erase_node(&nodes[{k}], &header) - nodes")
        look(c, [k for k in chosen if k not in gone])

    def walk(function, ends):
        def then(c, chosen):
            for k in chosen:
                if k != ends(chosen):
                    c.exact(f"number_of({function}(&nodes[{k}]), &header)")

        return then

    tree("_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_", ("uncle->color = BLACK;", "uncle->color = RED;"), look)
    tree("_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_", ("moved->color = z->color", "moved->color = BLACK"), erase)
    tree("_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base", ("increment(n)", "decrement(n)"), walk("next_node", max))
    tree("_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base", ("increment(n)", "decrement(n)"), walk("next_constant", max))
    tree("_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base", ("decrement(n)", "increment(n)"), walk("previous_node", min))
    tree("_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base", ("decrement(n)", "increment(n)"), walk("previous_constant", min))

    def links(symbol, mutant):
        def write(c):
            c.line("struct link all[5], *p;\nall[0].next = all[0].previous = all;")
            for k in range(1, 5):
                c.line(f"hook(&all[{k}], &all[{c.number(0, k - 1)}]);")
            gone = c.random.sample(range(1, 5), c.number(0, 3))
            for k in gone:
                c.line(f"unhook(&all[{k}]);")
            for k in range(5):
                if k not in gone:
                    c.exact(f"(all[{k}].next - all) * 8 + (all[{k}].previous - all)")

        table.row(symbol, mutant, LINKS)(write)

    links("_ZNSt8__detail15_List_node_base7_M_hookEPS0_", ("before->previous = self", "(void)self"))
    links("_ZNSt8__detail15_List_node_base9_M_unhookEv", ("self->previous->next = self->next", "(void)self"))
