/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/session_kernels.h"

#include "session/session_state.h"

static struct csg_kernel_check kernel_check(struct csg_session *session)
{
	return (struct csg_kernel_check){
		.trace = {.rec = session->rec,
			  .registry = &session->registry,
			  .kind = session->choice.kind,
			  .guests = session->choice.guests,
			  .snapshot = session->registry.one_space,
			  .surveys = session->surveys},
		.known = &session->index.kernels,
		.files = &session->kernels,
	};
}

static int check_kernel(struct csg_session *session, int32_t vm)
{
	const struct csg_kernel_check check = kernel_check(session);

	return csg_check_kernel(&check, vm);
}

int csg_session_check_host_kernel(struct csg_session *session, bool facts_are_stated)
{
	const struct csg_kernel_check check = kernel_check(session);

	return csg_sampled_trace_level_says(&check.trace) != facts_are_stated
		       ? csg_check_kernel(&check, CSG_VM_HOST)
		       : 0;
}

int csg_session_check_guests_kernels(struct csg_session *session)
{
	int err = session->registry.guest ? check_kernel(session, CSG_ONLY_GUEST) : 0;

	for (size_t i = 0; !err && session->guests.vms && i < session->options.guest_count; i++)
		if (session->guests.vms[i] > 0)
			err = check_kernel(session, session->guests.vms[i]);
	return err;
}

int csg_session_compare_kernels(struct csg_session *session)
{
	int err;

	if (!session->options.no_code || session->kernels.count)
		return 0;
	err = check_kernel(session, CSG_VM_HOST);
	return err ? err : csg_session_check_guests_kernels(session);
}

const struct csg_checked_kernels *csg_session_checked_kernels(const struct csg_session *session)
{
	return &session->kernels;
}
