/* Out-of-line parts of std::map, std::set and std::list: red-black trees and linked nodes as libstdc++ lays
 * them out. The header of a tree is a red node whose parent is the root, with the extremes left and right. */
#include "models.h"

enum { RED, BLACK };

struct node {
    int color;
    struct node *parent, *left, *right;
};

static inline struct node *leftmost(struct node *n) {
    while (n->left) n = n->left;
    return n;
}
static inline struct node *rightmost(struct node *n) {
    while (n->right) n = n->right;
    return n;
}

CALLERS_ACCESS static struct node *increment(struct node *n) {
    if (n->right) return leftmost(n->right);
    struct node *up = n->parent;
    while (n == up->right) {
        n = up;
        up = up->parent;
    }
    return n->right != up ? up : n;
}

CALLERS_ACCESS static struct node *decrement(struct node *n) {
    if (n->color == RED && n->parent->parent == n) return n->right; /* the header */
    if (n->left) return rightmost(n->left);
    struct node *up = n->parent;
    while (n == up->left) {
        n = up;
        up = up->parent;
    }
    return up;
}

CALLERS_ACCESS struct node *_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base(struct node *n) {
    return increment(n);
}
CALLERS_ACCESS struct node *_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base(struct node *n) {
    return increment(n);
}
CALLERS_ACCESS struct node *_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base(struct node *n) {
    return decrement(n);
}
CALLERS_ACCESS struct node *_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base(struct node *n) {
    return decrement(n);
}

/* Whoever pointed to n points to m instead. */
static inline void replace(struct node *n, struct node *m, struct node **root) {
    if (n == *root)
        *root = m;
    else if (n == n->parent->left)
        n->parent->left = m;
    else
        n->parent->right = m;
}

CALLERS_ACCESS static void rotate_left(struct node *n, struct node **root) {
    struct node *up = n->right;
    n->right = up->left;
    if (up->left) up->left->parent = n;
    up->parent = n->parent;
    replace(n, up, root);
    up->left = n;
    n->parent = up;
}

CALLERS_ACCESS static void rotate_right(struct node *n, struct node **root) {
    struct node *up = n->left;
    n->left = up->right;
    if (up->right) up->right->parent = n;
    up->parent = n->parent;
    replace(n, up, root);
    up->right = n;
    n->parent = up;
}

static inline void rotate(struct node *n, int to_left, struct node **root) {
    if (to_left)
        rotate_left(n, root);
    else
        rotate_right(n, root);
}

CALLERS_ACCESS void _ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_(_Bool left,
                                                                                      struct node *n,
                                                                                      struct node *under,
                                                                                      struct node *header) {
    struct node **root = &header->parent;
    n->parent = under;
    n->left = n->right = NULL;
    n->color = RED;
    if (left) {
        under->left = n; /* of the header: the leftmost */
        if (under == header) {
            header->parent = n;
            header->right = n;
        } else if (under == header->left) {
            header->left = n;
        }
    } else {
        under->right = n;
        if (under == header->right) header->right = n;
    }
    while (n != *root && n->parent->color == RED) {
        struct node *grand = n->parent->parent;
        int on_left = n->parent == grand->left;
        struct node *uncle = on_left ? grand->right : grand->left;
        if (uncle && uncle->color == RED) {
            n->parent->color = BLACK;
            uncle->color = BLACK;
            grand->color = RED;
            n = grand;
            continue;
        }
        if (n == (on_left ? n->parent->right : n->parent->left)) {
            n = n->parent;
            rotate(n, on_left, root);
        }
        n->parent->color = BLACK;
        grand->color = RED;
        rotate(grand, !on_left, root);
    }
    (*root)->color = BLACK;
}

/* Black was taken away above `n`, a child of `up` that may be null. */
CALLERS_ACCESS static void restore_blackness(struct node *n, struct node *up, struct node **root) {
    while (n != *root && (!n || n->color == BLACK)) {
        int on_left = n == up->left;
        struct node *sibling = on_left ? up->right : up->left;
        if (sibling->color == RED) {
            sibling->color = BLACK;
            up->color = RED;
            rotate(up, on_left, root);
            sibling = on_left ? up->right : up->left;
        }
        struct node *near = on_left ? sibling->left : sibling->right;
        struct node *far = on_left ? sibling->right : sibling->left;
        if ((!near || near->color == BLACK) && (!far || far->color == BLACK)) {
            sibling->color = RED;
            n = up;
            up = up->parent;
            continue;
        }
        if (!far || far->color == BLACK) {
            near->color = BLACK;
            sibling->color = RED;
            rotate(sibling, !on_left, root);
            sibling = on_left ? up->right : up->left;
            far = on_left ? sibling->right : sibling->left;
        }
        sibling->color = up->color;
        up->color = BLACK;
        if (far) far->color = BLACK;
        rotate(up, on_left, root);
        break;
    }
    if (n) n->color = BLACK;
}

/* Takes z out; the node itself is the result, for the caller to destroy. */
CALLERS_ACCESS struct node *
_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_(struct node *z, struct node *header) {
    struct node **root = &header->parent;
    struct node *moved = z, *child, *up;
    int lost;
    if (z->left && z->right) { /* its successor takes its place */
        moved = leftmost(z->right);
        child = moved->right;
        z->left->parent = moved;
        moved->left = z->left;
        if (moved != z->right) {
            up = moved->parent;
            if (child) child->parent = up;
            up->left = child;
            moved->right = z->right;
            z->right->parent = moved;
        } else {
            up = moved;
        }
        replace(z, moved, root);
        moved->parent = z->parent;
        lost = moved->color;
        moved->color = z->color;
    } else {
        child = z->left ? z->left : z->right;
        up = z->parent;
        if (child) child->parent = up;
        replace(z, child, root);
        if (header->left == z) header->left = z->right ? leftmost(child) : up;
        if (header->right == z) header->right = z->left ? rightmost(child) : up;
        lost = z->color;
    }
    if (lost == BLACK) restore_blackness(child, up, root);
    return z;
}

/* --- lists ---------------------------------------------------------------------------------------------- */

struct link {
    struct link *next, *previous;
};

CALLERS_ACCESS void _ZNSt8__detail15_List_node_base7_M_hookEPS0_(struct link *self, struct link *before) {
    self->next = before;
    self->previous = before->previous;
    before->previous->next = self;
    before->previous = self;
}

CALLERS_ACCESS void _ZNSt8__detail15_List_node_base9_M_unhookEv(struct link *self) {
    self->next->previous = self->previous;
    self->previous->next = self->next;
}
