#include "cli/plots.h"

#include "base/text.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

enum { WIDTH = 720, HEIGHT = 440, LEFT = 64, RIGHT = 20, TOP = 24, BOTTOM = 52 };

static const double least_seconds = 0.001;
static const char *const colours[] = {"#1b6ca8", "#c0392b", "#1e8449", "#8e44ad",
                                      "#b9770e", "#2c3e50", "#d35400", "#117a65"};
enum { COLOURS = sizeof colours / sizeof *colours };

typedef VEC(double) numbers;

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(numbers *list) {
    qsort(list->data, list->size, sizeof *list->data, by_size);
    size_t n = list->size;
    return n % 2 ? list->data[n / 2] : (list->data[n / 2 - 1] + list->data[n / 2]) / 2;
}

/* Median seconds of the repetitions of a program under a configuration; -1: it was not always decided. */
static double seconds_of(const records *all, const char *program, const char *parameters,
                         const char *configuration) {
    numbers list = {0};
    bool decided = true;
    for (size_t i = 0; i < all->size; i++) {
        const record *r = &all->data[i];
        if (strcmp(r->program, program) || strcmp(r->parameters, parameters) ||
            strcmp(r->configuration, configuration))
            continue;
        decided &= record_is_decided(r);
        vec_push(&list, r->seconds > least_seconds ? r->seconds : least_seconds);
    }
    double result = decided && list.size ? median(&list) : -1;
    vec_free(&list);
    return result;
}

/* Each program with each choice of parameters once. */
typedef struct subject {
    const char *program, *parameters;
} subject;

typedef VEC(subject) subjects;

static void list_subjects(const records *all, subjects *out) {
    for (size_t i = 0; i < all->size; i++) {
        const record *r = &all->data[i];
        bool known = false;
        for (size_t k = 0; k < out->size && !known; k++)
            known =
                !strcmp(out->data[k].program, r->program) && !strcmp(out->data[k].parameters, r->parameters);
        if (!known) vec_push(out, ((subject){r->program, r->parameters}));
    }
}

/* --- SVG ------------------------------------------------------------------------------------------------ */

static void add_escaped(text *out, const char *s) {
    for (; *s; s++) {
        if (*s == '<')
            text_add(out, "&lt;");
        else if (*s == '&')
            text_add(out, "&amp;");
        else
            text_char(out, *s);
    }
}

typedef struct axes {
    double x_low, x_high, y_low, y_high; /* y, and x if x_is_log, as decimal logarithms */
    bool x_is_log;
} axes;

static double at_x(const axes *a, double x) {
    if (a->x_is_log) x = log10(x);
    double share = a->x_high > a->x_low ? (x - a->x_low) / (a->x_high - a->x_low) : 0;
    return LEFT + share * (WIDTH - LEFT - RIGHT);
}

static double at_y(const axes *a, double seconds) {
    double share = a->y_high > a->y_low ? (log10(seconds) - a->y_low) / (a->y_high - a->y_low) : 0;
    return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM);
}

static void begin_picture(text *out, const axes *a, const char *x_title, const char *y_title) {
    text_format(out,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
                "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%%\" height=\"100%%\" "
                "fill=\"white\"/>\n",
                WIDTH, HEIGHT, WIDTH, HEIGHT);
    for (int e = (int)ceil(a->y_low); e <= (int)floor(a->y_high); e++) {
        double y = at_y(a, pow(10, e));
        text_format(out,
                    "<path d=\"M%d %.1fH%d\" stroke=\"#ddd\"/><text x=\"%d\" y=\"%.1f\" "
                    "text-anchor=\"end\">%g</text>\n",
                    LEFT, y, WIDTH - RIGHT, LEFT - 6, y + 4, pow(10, e));
    }
    text_format(out, "<path d=\"M%d %dV%dH%d\" fill=\"none\" stroke=\"#333\"/>\n", LEFT, TOP, HEIGHT - BOTTOM,
                WIDTH - RIGHT);
    text_format(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">", (LEFT + WIDTH - RIGHT) / 2,
                HEIGHT - 12);
    add_escaped(out, x_title);
    text_format(out, "</text>\n<text transform=\"translate(14 %d) rotate(-90)\" text-anchor=\"middle\">",
                (TOP + HEIGHT - BOTTOM) / 2);
    add_escaped(out, y_title);
    text_add(out, "</text>\n");
}

static void add_x_mark(text *out, const axes *a, double x) {
    text_format(out, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%g</text>\n", at_x(a, x),
                HEIGHT - BOTTOM + 18, x);
}

static void add_legend(text *out, size_t number, const char *name, size_t count) {
    double y = TOP + 14 + 16 * (double)number;
    text_format(
        out, "<rect x=\"%d\" y=\"%.1f\" width=\"10\" height=\"10\" fill=\"%s\"/><text x=\"%d\" y=\"%.1f\">",
        LEFT + 12, y - 9, colours[number % COLOURS], LEFT + 28, y);
    add_escaped(out, name);
    text_format(out, " (%zu)</text>\n", count);
}

typedef struct point {
    double x, y;
} point;

typedef VEC(point) points;

static void add_curve(text *out, const axes *a, const points *p, size_t number) {
    text_format(out, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"",
                colours[number % COLOURS]);
    for (size_t i = 0; i < p->size; i++)
        text_format(out, "%.1f,%.1f ", at_x(a, p->data[i].x), at_y(a, p->data[i].y));
    text_add(out, "\"/>\n");
    for (size_t i = 0; i < p->size; i++)
        text_format(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\" fill=\"%s\"/>\n", at_x(a, p->data[i].x),
                    at_y(a, p->data[i].y), colours[number % COLOURS]);
}

static axes axes_of_seconds(const records *all) {
    double most = 1;
    for (size_t i = 0; i < all->size; i++)
        if (most < all->data[i].seconds) most = all->data[i].seconds;
    return (axes){.y_low = log10(least_seconds), .y_high = ceil(log10(most) * 10) / 10};
}

/* --- the pictures --------------------------------------------------------------------------------------- */

static void draw_quantiles(const matrix *m, const records *all, const subjects *list, text *out) {
    axes a = axes_of_seconds(all);
    a.x_high = list->size ? (double)list->size : 1;
    begin_picture(out, &a, "decided runs, fastest first", "seconds");
    double step = list->size > 10 ? ceil((double)list->size / 10) : 1;
    for (double n = 0; n <= a.x_high; n += step) add_x_mark(out, &a, n);
    for (size_t c = 0; c < m->configurations.size; c++) {
        numbers decided = {0};
        points p = {0};
        for (size_t i = 0; i < list->size; i++) {
            double s = seconds_of(all, list->data[i].program, list->data[i].parameters,
                                  m->configurations.data[c].name);
            if (s >= 0) vec_push(&decided, s);
        }
        if (decided.size) qsort(decided.data, decided.size, sizeof *decided.data, by_size);
        for (size_t i = 0; i < decided.size; i++) vec_push(&p, ((point){(double)i + 1, decided.data[i]}));
        add_curve(out, &a, &p, c);
        add_legend(out, c, m->configurations.data[c].name, decided.size);
        vec_free(&decided);
        vec_free(&p);
    }
    text_add(out, "</svg>\n");
}

/* One that was not decided stands on the upper or right edge. */
static void draw_scatter(const matrix *m, const records *all, const subjects *list, text *out) {
    const char *first = m->configurations.data[0].name, *second = m->configurations.data[1].name;
    axes a = axes_of_seconds(all);
    a.x_is_log = true;
    a.x_low = a.y_low;
    a.x_high = a.y_high;
    text x_title = {0}, y_title = {0};
    text_format(&x_title, "seconds of %s", first);
    text_format(&y_title, "seconds of %s", second);
    begin_picture(out, &a, text_cstr(&x_title), text_cstr(&y_title));
    for (int e = (int)ceil(a.x_low); e <= (int)floor(a.x_high); e++) add_x_mark(out, &a, pow(10, e));
    double low = pow(10, a.x_low), high = pow(10, a.x_high);
    text_format(out, "<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"#999\" stroke-dasharray=\"4 4\"/>\n",
                at_x(&a, low), at_y(&a, low), at_x(&a, high), at_y(&a, high));
    for (size_t i = 0; i < list->size; i++) {
        double x = seconds_of(all, list->data[i].program, list->data[i].parameters, first);
        double y = seconds_of(all, list->data[i].program, list->data[i].parameters, second);
        if (x < 0 && y < 0) continue;
        text_format(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"%s\" fill-opacity=\"0.6\"><title>",
                    at_x(&a, x < 0 ? high : x), at_y(&a, y < 0 ? high : y),
                    x < 0 || y < 0 ? colours[1] : colours[0]);
        add_escaped(out, list->data[i].program);
        text_char(out, ' ');
        add_escaped(out, list->data[i].parameters);
        text_add(out, "</title></circle>\n");
    }
    text_add(out, "</svg>\n");
    text_free(&x_title);
    text_free(&y_title);
}

/* Median over programs (and other parameters) of the seconds for one value of the first parameter; -1:
 * one is missing. */
static double seconds_at(const matrix *m, const records *all, const char *value, const char *configuration) {
    numbers list = {0};
    bool decided = true;
    text wanted = {0};
    text_format(&wanted, "%s=%s", m->sweep.data[0].name, value);
    for (size_t i = 0; i < all->size; i++) {
        const record *r = &all->data[i];
        bool here = !strncmp(r->parameters, text_cstr(&wanted), wanted.size) &&
                    (!r->parameters[wanted.size] || r->parameters[wanted.size] == ' ');
        if (!here || strcmp(r->configuration, configuration)) continue;
        decided &= record_is_decided(r);
        vec_push(&list, r->seconds > least_seconds ? r->seconds : least_seconds);
    }
    double result = decided && list.size ? median(&list) : -1;
    vec_free(&list);
    text_free(&wanted);
    return result;
}

static void draw_scaling(const matrix *m, const records *all, text *out) {
    const setting *parameter = &m->sweep.data[0];
    axes a = axes_of_seconds(all);
    a.x_low = INFINITY;
    a.x_high = -INFINITY;
    for (size_t i = 0; i < parameter->values.size; i++) {
        double x = strtod(parameter->values.data[i], NULL);
        if (x < a.x_low) a.x_low = x;
        if (x > a.x_high) a.x_high = x;
    }
    begin_picture(out, &a, parameter->name, "seconds (median)");
    for (size_t i = 0; i < parameter->values.size; i++)
        add_x_mark(out, &a, strtod(parameter->values.data[i], NULL));
    for (size_t c = 0; c < m->configurations.size; c++) {
        points p = {0};
        for (size_t i = 0; i < parameter->values.size; i++) {
            double s = seconds_at(m, all, parameter->values.data[i], m->configurations.data[c].name);
            if (s >= 0) vec_push(&p, ((point){strtod(parameter->values.data[i], NULL), s}));
        }
        add_curve(out, &a, &p, c);
        add_legend(out, c, m->configurations.data[c].name, p.size);
        vec_free(&p);
    }
    text_add(out, "</svg>\n");
}

/* --- LaTeX ---------------------------------------------------------------------------------------------- */

static void add_latex(text *out, const char *s) {
    for (; *s; s++) {
        if (strchr("_&%$#{}", *s)) text_char(out, '\\');
        text_char(out, *s);
    }
}

static void write_table(const matrix *m, const records *all, const subjects *list, text *out) {
    text_add(out, "% Median seconds; --: not decided. Needs no package.\n\\begin{tabular}{l");
    for (size_t c = 0; c < m->configurations.size; c++) text_char(out, 'r');
    text_add(out, "}\n\\hline\nprogram");
    for (size_t c = 0; c < m->configurations.size; c++) {
        text_add(out, " & ");
        add_latex(out, m->configurations.data[c].name);
    }
    text_add(out, " \\\\\n\\hline\n");
    for (size_t i = 0; i < list->size; i++) {
        const char *slash = strrchr(list->data[i].program, '/');
        add_latex(out, slash ? slash + 1 : list->data[i].program);
        if (*list->data[i].parameters) text_add(out, ", ");
        add_latex(out, list->data[i].parameters);
        for (size_t c = 0; c < m->configurations.size; c++) {
            double s = seconds_of(all, list->data[i].program, list->data[i].parameters,
                                  m->configurations.data[c].name);
            if (s < 0)
                text_add(out, " & --");
            else
                text_format(out, " & %.3f", s);
        }
        text_add(out, " \\\\\n");
    }
    text_add(out, "\\hline\n\\end{tabular}\n");
}

/* --- files ---------------------------------------------------------------------------------------------- */

static bool save(const char *name, const char *ending, text *content) {
    text path = {0};
    text_format(&path, "%s%s", name, ending);
    FILE *f = fopen(text_cstr(&path), "w");
    bool good = f && fwrite(text_cstr(content), 1, content->size, f) == content->size;
    if (f) good &= !fclose(f);
    if (!good) fprintf(stderr, "%s: error: %s\n", text_cstr(&path), strerror(errno));
    text_free(&path);
    text_free(content);
    return good;
}

bool plots_write(const char *name, const matrix *m, const records *all) {
    subjects list = {0};
    text content = {0};
    list_subjects(all, &list);
    draw_quantiles(m, all, &list, &content);
    bool good = save(name, "-quantile.svg", &content);
    if (m->configurations.size > 1) {
        draw_scatter(m, all, &list, &content);
        good &= save(name, "-scatter.svg", &content);
    }
    if (m->sweep.size) {
        draw_scaling(m, all, &content);
        good &= save(name, "-scaling.svg", &content);
    }
    write_table(m, all, &list, &content);
    good &= save(name, ".tex", &content);
    vec_free(&list);
    return good;
}
