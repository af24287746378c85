#include "machine/kernel.h"

static const kernel *const kernels[KERNEL_KINDS] = {[KERNEL_IVL] = &systemc_kernel,
                                                    [KERNEL_SYSTEMC] = &systemc_kernel,
                                                    [KERNEL_PREEMPTIVE] = &preemptive_kernel};

const kernel *kernel_of(kernel_kind kind) {
    return kernels[kind];
}

void run_stick(run *r, context *c) {
    r->m->kernel->stick(r, c);
}
