/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernel files: what the user names, or was found by name, as the code of a machine's kernel, and
 * whether that is what ran.
 *
 * A sample of the branches that ran is compared with the file: the trace says of each whether it
 * was taken, and code that did not run contradicts that every second time.  A file that is
 * contradicted is refused, with its symbols.  The trace must prove whose kernel ran, so not every
 * file can be checked. The kernel's code in the recording itself (perf record --kcore) is not
 * questioned, and not listed.
 */
#ifndef CSGUEST_KERNEL_FILE_H
#define CSGUEST_KERNEL_FILE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct csg_session;

/* X(name, text) */
#define CSG_KERNEL_FILE_STATES_LIST(X)                                                             \
	X(NOT_CHECKED, "not checked") /* why says for which reason */                              \
	X(AGREES, "agrees with the trace")                                                         \
	X(REFUSED, "refused") /* it is not what ran, or not where it ran */

enum csg_kernel_file_state {
#define CSG_KERNEL_FILE_STATE(name, text) CSG_KERNEL_FILE_##name,
	CSG_KERNEL_FILE_STATES_LIST(CSG_KERNEL_FILE_STATE)
#undef CSG_KERNEL_FILE_STATE
		CSG_KERNEL_FILE_STATES,
};

struct csg_kernel_file {
	size_t size;
	int32_t vm;	       /* perf's machine_pid; CSG_VM_HOST; CSG_VM_UNKNOWN: of all guests */
	uint8_t state;	       /* enum csg_kernel_file_state */
	const char *path;      /* of the file */
	const char *why;       /* it was not checked: one line, no full stop; else NULL */
	uint32_t branches;     /* how many were compared */
	uint32_t contradicted; /* how many of them ran otherwise */
};

/*
 * Checks the files now, in a session with CSG_SESSION_NO_CODE, which has not done so; else they
 * were checked when it was opened.  0, -CSG_E_USAGE, -CSG_E_NO_MEMORY or another error.
 */
int csg_session_check_kernels(struct csg_session *session);

/*
 * The files that were looked at: how many, and one; NULL: none.  They lie in an array, size bytes
 * from one to the next, and stay as long as the session.
 */
size_t csg_kernel_file_count(const struct csg_session *session);
const struct csg_kernel_file *csg_kernel_file_at(const struct csg_session *session, size_t index);

/* A few words: "not checked".  Never NULL. */
const char *csg_kernel_file_state_name(enum csg_kernel_file_state state);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
