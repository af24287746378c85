#include "esst/esst.h"

#include "esst/regions.h"

void esst_run(machine *m, const explore_options *options, outcome *out) {
    regions r = {.by_location = options->abstraction.scope == SCOPE_LOCATION,
                 .threads_come = program_kernel(machine_program(m))->creates_threads};
    cegar_variant variant = {.explorer = &explorer_esst,
                             .scope_for = regions_scope_for,
                             .scopes_in = regions_scopes_in,
                             .counts_roots = true,
                             .data = &r};
    cegar_run_variant(m, options, &variant, out);
}
