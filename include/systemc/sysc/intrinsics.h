/* What these headers are written on: each function is translated to an operation of the kernel (see
 * src/frontend/llvm/systemc.c), nothing else in them is special. Records are read once, when elaboration is
 * over: processes, updates and events keep the numbers they have by then. */
#ifndef HEDDLE_SYSTEMC_INTRINSICS_H
#define HEDDLE_SYSTEMC_INTRINSICS_H

struct heddle_sc_record { /* of a process, an update or an event; in order of their numbers */
    heddle_sc_record *next;
    const char *name;
    unsigned number;
};

struct heddle_sc_process : heddle_sc_record { /* numbers from 1 on: 0 is sc_main */
    const unsigned *sensitivity;              /* static: numbers of events */
    /* Of each: among the processes that a simulator wakes, lower is earlier in its list. */
    const unsigned *sensitivity_order;
    const unsigned *resets; /* event (~0: synchronous), 1 if a port was named; event, ... */
    unsigned sensitivity_count;
    unsigned dont_initialize;
    unsigned is_method;
    unsigned is_spare; /* has nothing to do while it waits for its static sensitivity */
    unsigned reset_count;
};

struct heddle_sc_list {
    heddle_sc_record *first, *last;
    unsigned count;
};

struct heddle_sc_registry {
    heddle_sc_list processes, updates, events;
    heddle_sc_list objects; /* everything with a name in the design, for reports; numbers mean nothing */
};

extern "C" {
/* Set by the front end: the design has a handler that a report may come to; one around a call that starts a
 * simulation, to which everything comes that leaves a process. */
extern const unsigned __heddle_sc_catches, __heddle_sc_catches_at_start;
extern const unsigned __heddle_sc_has_rules; /* it says somewhere what becomes of reports */
void __heddle_sc_start(long long duration);  /* elaboration ends here, the first time; negative: no limit */
void __heddle_sc_start_while_busy(long long duration); /* time stays when nothing happens any more */
void __heddle_sc_stop(void);
void __heddle_sc_wait_static(void); /* for the static sensitivity of the running process */
void __heddle_sc_wait_any(unsigned event, ...);
void __heddle_sc_wait_all(unsigned event, ...);
/* Tell how they ended: 0 by an event, 1 by time, 2 by both at once; those that are not `told` always 0. */
unsigned __heddle_sc_wait_any_for(unsigned long long time, unsigned event, ...);
unsigned __heddle_sc_wait_all_for(unsigned long long time, unsigned event, ...);
unsigned __heddle_sc_wait_any_for_told(unsigned long long time, unsigned event, ...);
unsigned __heddle_sc_wait_all_for_told(unsigned long long time, unsigned event, ...);
void __heddle_sc_wait_time(unsigned long long time); /* 0: until the next delta cycle */
void __heddle_sc_notify(unsigned event);
void __heddle_sc_notify_after(unsigned event, unsigned long long time); /* 0: in the next delta cycle */
void __heddle_sc_cancel(unsigned event);
void __heddle_sc_suspend(unsigned process);
void __heddle_sc_resume(unsigned process);
void __heddle_sc_disable(unsigned process);
void __heddle_sc_enable(unsigned process);
void __heddle_sc_run_now(unsigned process); /* until it waits or ends, whatever it waits for now */
void __heddle_sc_request_update(unsigned update);
/* The process, which waits, waits for one of these events instead. */
void __heddle_sc_listen(unsigned process, unsigned event, ...);
unsigned __heddle_sc_pending_now(void);             /* something is left to do at the present time */
unsigned long long __heddle_sc_pending_later(void); /* time to the next timed notification; none: all ones */
unsigned long long __heddle_sc_time(void);
unsigned __heddle_sc_self(void); /* number of the running process; sc_main and updates: 0 */
[[noreturn]] void __heddle_unsupported(const char *what);
[[noreturn]] void __heddle_violation(const char *what);
[[noreturn]] void __heddle_error(const char *what); /* a violation that is good to be never reached */
void __heddle_assume(int condition);
unsigned char __heddle_input_8(const char *name);
unsigned short __heddle_input_16(const char *name);
unsigned __heddle_input_32(const char *name);
unsigned long long __heddle_input_64(const char *name);
}

namespace sc_core {
namespace heddle {
inline bool simulation_runs = false; /* elaboration is over */
}
} // namespace sc_core

#endif
