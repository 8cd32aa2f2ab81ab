/* SPDX-License-Identifier: BSD-3-Clause */
#include "csguest/kernel_file.h"

#include "csguest/error.h"
#include "session/session.h"
#include "session/session_kernels.h"

int csg_session_check_kernels(struct csg_session *session)
{
	return session ? csg_session_compare_kernels(session) : -CSG_E_USAGE;
}

size_t csg_kernel_file_count(const struct csg_session *session)
{
	return session ? csg_session_checked_kernels(session)->count : 0;
}

const struct csg_kernel_file *csg_kernel_file_at(const struct csg_session *session, size_t index)
{
	return index < csg_kernel_file_count(session)
		       ? &csg_session_checked_kernels(session)->list[index]
		       : NULL;
}

const char *csg_kernel_file_state_name(enum csg_kernel_file_state state)
{
	static const char *const names[] = {
#define NAME(name, text) text,
		CSG_KERNEL_FILE_STATES_LIST(NAME)
#undef NAME
	};

	return (unsigned int)state < CSG_KERNEL_FILE_STATES ? names[state] : "invalid";
}
