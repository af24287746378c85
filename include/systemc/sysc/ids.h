/* The kinds of messages of Accellera's library, by which designs set actions and recognise reports. */
#ifndef HEDDLE_SYSTEMC_IDS_H
#define HEDDLE_SYSTEMC_IDS_H

#define HEDDLE_SC_IDS(X)                                                                                     \
    X(SC_ID_UNKNOWN_ERROR_, 0, "unknown error")                                                              \
    X(SC_ID_ASSERTION_FAILED_, 3, "assertion failed")                                                        \
    X(SC_ID_OUT_OF_BOUNDS_, 5, "out of bounds")                                                              \
    X(SC_ID_NOT_IMPLEMENTED_, 7, "not implemented")                                                          \
    X(SC_ID_PORT_OUTSIDE_MODULE_, 100, "port specified outside of module")                                   \
    X(SC_ID_CLOCK_PERIOD_ZERO_, 101, "sc_clock period is zero")                                              \
    X(SC_ID_CLOCK_HIGH_TIME_ZERO_, 102, "sc_clock high time is zero")                                        \
    X(SC_ID_CLOCK_LOW_TIME_ZERO_, 103, "sc_clock low time is zero")                                          \
    X(SC_ID_MORE_THAN_ONE_FIFO_READER_, 104, "sc_fifo<T> cannot have more than one reader")                  \
    X(SC_ID_MORE_THAN_ONE_FIFO_WRITER_, 105, "sc_fifo<T> cannot have more than one writer")                  \
    X(SC_ID_INVALID_FIFO_SIZE_, 106, "sc_fifo<T> must have a size of at least 1")                            \
    X(SC_ID_BIND_IF_TO_PORT_, 107, "bind interface to port failed")                                          \
    X(SC_ID_BIND_PORT_TO_PORT_, 108, "bind parent port to port failed")                                      \
    X(SC_ID_COMPLETE_BINDING_, 109, "complete binding failed")                                               \
    X(SC_ID_INSERT_PORT_, 110, "insert port failed")                                                         \
    X(SC_ID_REMOVE_PORT_, 111, "remove port failed")                                                         \
    X(SC_ID_GET_IF_, 112, "get interface failed")                                                            \
    X(SC_ID_INSERT_PRIM_CHANNEL_, 113, "insert primitive channel failed")                                    \
    X(SC_ID_REMOVE_PRIM_CHANNEL_, 114, "remove primitive channel failed")                                    \
    X(SC_ID_MORE_THAN_ONE_SIGNAL_DRIVER_, 115, "sc_signal<T> cannot have more than one driver")              \
    X(SC_ID_NO_DEFAULT_EVENT_, 116, "channel doesn't have a default event")                                  \
    X(SC_ID_RESOLVED_PORT_NOT_BOUND_, 117, "resolved port not bound to resolved signal")                     \
    X(SC_ID_FIND_EVENT_, 118, "find event failed")                                                           \
    X(SC_ID_INVALID_SEMAPHORE_VALUE_, 119, "sc_semaphore requires an initial value >= 0")                    \
    X(SC_ID_SC_EXPORT_HAS_NO_INTERFACE_, 120, "sc_export instance has no interface")                         \
    X(SC_ID_INSERT_EXPORT_, 121, "insert sc_export failed")                                                  \
    X(SC_ID_EXPORT_OUTSIDE_MODULE_, 122, "sc_export specified outside of module")                            \
    X(SC_ID_SC_EXPORT_NOT_REGISTERED_, 123, "remove sc_export failed, sc_export not registered")             \
    X(SC_ID_SC_EXPORT_NOT_BOUND_AFTER_CONSTRUCTION_, 124,                                                    \
      "sc_export instance not bound to interface at end of construction")                                    \
    X(SC_ID_ATTEMPT_TO_WRITE_TO_CLOCK_, 125, "attempt to write the value of an sc_clock instance")           \
    X(SC_ID_SC_EXPORT_ALREADY_BOUND_, 126, "sc_export instance already bound")                               \
    X(SC_ID_OPERATION_ON_NON_SPECIALIZED_SIGNAL_, 127,                                                       \
      "attempted specalized signal operation on non-specialized signal")                                     \
    X(SC_ID_ATTEMPT_TO_BIND_CLOCK_TO_OUTPUT_, 128,                                                           \
      "attempted to bind sc_clock instance to sc_inout or sc_out")                                           \
    X(SC_ID_NO_ASYNC_UPDATE_, 129, "this build has no asynchronous update support")                          \
    X(SC_ID_LENGTH_MISMATCH_, 200, "length mismatch in bit/logic vector assignment")                         \
    X(SC_ID_INCOMPATIBLE_TYPES_, 201, "incompatible types")                                                  \
    X(SC_ID_CANNOT_CONVERT_, 202, "cannot perform conversion")                                               \
    X(SC_ID_INCOMPATIBLE_VECTORS_, 203, "incompatible vectors")                                              \
    X(SC_ID_VALUE_NOT_VALID_, 204, "value is not valid")                                                     \
    X(SC_ID_ZERO_LENGTH_, 205, "zero length")                                                                \
    X(SC_ID_VECTOR_CONTAINS_LOGIC_VALUE_, 206, "vector contains 4-value logic")                              \
    X(SC_ID_SC_BV_CANNOT_CONTAIN_X_AND_Z_, 207, "sc_bv cannot contain values X and Z")                       \
    X(SC_ID_VECTOR_TOO_LONG_, 208, "vector is too long: truncated")                                          \
    X(SC_ID_VECTOR_TOO_SHORT_, 209, "vector is too short: 0-padded")                                         \
    X(SC_ID_WRONG_VALUE_, 210, "wrong value")                                                                \
    X(SC_ID_LOGIC_Z_TO_BOOL_, 211, "sc_logic value 'Z' cannot be converted to bool")                         \
    X(SC_ID_LOGIC_X_TO_BOOL_, 212, "sc_logic value 'X' cannot be converted to bool")                         \
    X(SC_ID_INIT_FAILED_, 400, "initialization failed")                                                      \
    X(SC_ID_ASSIGNMENT_FAILED_, 401, "assignment failed")                                                    \
    X(SC_ID_OPERATION_FAILED_, 402, "operation failed")                                                      \
    X(SC_ID_CONVERSION_FAILED_, 403, "conversion failed")                                                    \
    X(SC_ID_INSTANCE_EXISTS_, 505, "object already exists")                                                  \
    X(SC_ID_ILLEGAL_CHARACTERS_, 506, "illegal characters")                                                  \
    X(SC_ID_END_MODULE_NOT_CALLED_, 509,                                                                     \
      "module construction not properly completed: did you forget to add a sc_module_name parameter to "     \
      "your module constructor?")                                                                            \
    X(SC_ID_HIER_NAME_INCORRECT_, 510, "hierarchical name as shown may be incorrect due to previous errors") \
    X(SC_ID_SET_STACK_SIZE_, 511, "set_stack_size() is only allowed for SC_THREADs and SC_CTHREADs")         \
    X(SC_ID_SC_MODULE_NAME_USE_, 512, "incorrect use of sc_module_name")                                     \
    X(SC_ID_SC_MODULE_NAME_REQUIRED_, 513, "an sc_module_name parameter for your constructor is required")   \
    X(SC_ID_SET_TIME_RESOLUTION_, 514, "set time resolution failed")                                         \
    X(SC_ID_SET_DEFAULT_TIME_UNIT_, 515, "set default time unit failed")                                     \
    X(SC_ID_DEFAULT_TIME_UNIT_CHANGED_, 516, "default time unit changed to time resolution")                 \
    X(SC_ID_INCONSISTENT_API_CONFIG_, 517, "inconsistent library configuration detected")                    \
    X(SC_ID_STACK_SETUP_FAILED_, 518, "stack setup failed")                                                  \
    X(SC_ID_WAIT_NOT_ALLOWED_, 519, "wait() is only allowed in SC_THREADs and SC_CTHREADs")                  \
    X(SC_ID_NEXT_TRIGGER_NOT_ALLOWED_, 520, "next_trigger() is only allowed in SC_METHODs")                  \
    X(SC_ID_IMMEDIATE_NOTIFICATION_, 521,                                                                    \
      "immediate notification is not allowed during update phase or elaboration")                            \
    X(SC_ID_HALT_NOT_ALLOWED_, 522, "halt() is only allowed in SC_CTHREADs")                                 \
    X(SC_ID_WATCHING_NOT_ALLOWED_, 523, "watching() has been deprecated, use reset_signal_is()")             \
    X(SC_ID_DONT_INITIALIZE_, 524, "dont_initialize() has no effect for SC_CTHREADs")                        \
    X(SC_ID_WAIT_N_INVALID_, 525, "wait(n) is only valid for n > 0")                                         \
    X(SC_ID_MAKE_SENSITIVE_, 526, "make sensitive failed")                                                   \
    X(SC_ID_MAKE_SENSITIVE_POS_, 527, "make sensitive pos failed")                                           \
    X(SC_ID_MAKE_SENSITIVE_NEG_, 528, "make sensitive neg failed")                                           \
    X(SC_ID_INSERT_MODULE_, 529, "insert module failed")                                                     \
    X(SC_ID_REMOVE_MODULE_, 530, "remove module failed")                                                     \
    X(SC_ID_NOTIFY_DELAYED_, 531,                                                                            \
      "notify_delayed() cannot be called on events that have pending notifications")                         \
    X(SC_ID_GEN_UNIQUE_NAME_, 532, "cannot generate unique name from null string")                           \
    X(SC_ID_MODULE_NAME_STACK_EMPTY_, 533,                                                                   \
      "module name stack is empty: did you forget to add a sc_module_name parameter to your module "         \
      "constructor?")                                                                                        \
    X(SC_ID_NAME_EXISTS_, 534, "name already exists")                                                        \
    X(SC_ID_WAIT_NEGATIVE_CYCLES_, 535, "wait(n) not allowed for n <= 0")                                    \
    X(SC_ID_IMMEDIATE_SELF_NOTIFICATION_, 536, "immediate self-notification ignored as of IEEE 1666-2011")   \
    X(SC_ID_WAIT_DURING_UNWINDING_, 537, "wait() not allowed during unwinding")                              \
    X(SC_ID_CYCLE_MISSES_EVENTS_, 538,                                                                       \
      "the simulation contains timed-events but they are ignored by sc_cycle() ==> the simulation will be "  \
      "incorrect")                                                                                           \
    X(SC_ID_RETHROW_UNWINDING_, 539, "sc_unwind_exception not re-thrown during kill/reset")                  \
    X(SC_ID_PROCESS_ALREADY_UNWINDING_, 540, "kill/reset ignored during unwinding")                          \
    X(SC_ID_MODULE_METHOD_AFTER_START_, 541, "call to SC_METHOD in sc_module while simulation running")      \
    X(SC_ID_MODULE_THREAD_AFTER_START_, 542, "call to SC_THREAD in sc_module while simulation running")      \
    X(SC_ID_MODULE_CTHREAD_AFTER_START_, 543, "call to SC_CTHREAD in sc_module while simulation running")    \
    X(SC_ID_SIMULATION_TIME_OVERFLOW_, 544, "simulation time value overflow, simulation aborted")            \
    X(SC_ID_SIMULATION_STOP_CALLED_TWICE_, 545, "sc_stop has already been called")                           \
    X(SC_ID_SIMULATION_START_AFTER_STOP_, 546, "sc_start called after sc_stop has been called")              \
    X(SC_ID_STOP_MODE_AFTER_START_, 547, "attempt to set sc_stop mode  after start will be ignored")         \
    X(SC_ID_SIMULATION_START_AFTER_ERROR_, 548, "attempt to restart simulation after error")                 \
    X(SC_ID_SIMULATION_UNCAUGHT_EXCEPTION_, 549, "uncaught exception")                                       \
    X(SC_ID_SIMULATION_START_UNEXPECTED_, 554, "sc_start called unexpectedly")                               \
    X(SC_ID_THROW_IT_IGNORED_, 556, "throw_it on method/non-running process is being ignored ")              \
    X(SC_ID_NOT_EXPECTING_DYNAMIC_EVENT_NOTIFY_, 557,                                                        \
      "dynamic event notification encountered when sensitivity is static")                                   \
    X(SC_ID_DISABLE_WILL_ORPHAN_PROCESS_, 558,                                                               \
      "disable() or dont_initialize() called on process with no static sensitivity, it will be orphaned")    \
    X(SC_ID_PROCESS_CONTROL_CORNER_CASE_, 559, "Undefined process control interaction")                      \
    X(SC_ID_METHOD_TERMINATION_EVENT_, 560, "Attempt to get terminated event for a method process")          \
    X(SC_ID_JOIN_ON_METHOD_HANDLE_, 561, "Attempt to register method process with sc_join object")           \
    X(SC_ID_NO_PROCESS_SEMANTICS_, 563, "Attempt to invoke process with no semantics() method")              \
    X(SC_ID_EVENT_ON_NULL_PROCESS_, 564, "Attempt to get an event for non-existent process")                 \
    X(SC_ID_EVENT_LIST_FAILED_, 565, "invalid use of sc_(and|or)_event_list")                                \
    X(SC_ID_UNKNOWN_PROCESS_TYPE_, 566, "Unknown process type")                                              \
    X(SC_ID_TIME_CONVERSION_FAILED_, 567, "sc_time conversion failed")                                       \
    X(SC_ID_BAD_SC_MODULE_CONSTRUCTOR_, 569,                                                                 \
      "sc_module(const char*), sc_module(const std::string&) have been deprecated, use sc_module(const "     \
      "sc_module_name&)")                                                                                    \
    X(SC_ID_EMPTY_PROCESS_HANDLE_, 570, "attempt to use an empty process handle ignored")                    \
    X(SC_ID_NO_SC_START_ACTIVITY_, 571, "no activity or clock movement for sc_start() invocation")           \
    X(SC_ID_KILL_PROCESS_WHILE_UNITIALIZED_, 572, "a process may not be killed before it is initialized")    \
    X(SC_ID_RESET_PROCESS_WHILE_NOT_RUNNING_, 573,                                                           \
      "a process may not be asynchronously reset while the simulation is not running")                       \
    X(SC_ID_THROW_IT_WHILE_NOT_RUNNING_, 574, "throw_it not allowed unless simulation is running ")          \
    X(SC_ID_STRING_TOO_LONG_, 801, "string is too long")                                                     \
    X(SC_ID_FRONT_ON_EMPTY_LIST_, 802, "attempt to take front() on an empty list")                           \
    X(SC_ID_BACK_ON_EMPTY_LIST_, 803, "attempt to take back() on an empty list")                             \
    X(SC_ID_IEEE_1666_DEPRECATION_, 804, "/IEEE_Std_1666/deprecated")                                        \
    X(SC_ID_VECTOR_INIT_CALLED_TWICE_, 805, "sc_vector::init has already been called")                       \
    X(SC_ID_VECTOR_BIND_EMPTY_, 807, "sc_vector::bind called with empty range")                              \
    X(SC_ID_VECTOR_NONOBJECT_ELEMENTS_, 808,                                                                 \
      "sc_vector::get_elements called for element type not derived from sc_object")

namespace sc_core {

#define HEDDLE_SC_ID(name, number, words) inline constexpr char name[] = words;
HEDDLE_SC_IDS(HEDDLE_SC_ID)
#undef HEDDLE_SC_ID

} // namespace sc_core

#endif
