/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/session_guests.h"

#include "guest/guest_contradictions.h"
#include "guest/vm_offsets.h"
#include "session/open/guest_time.h"
#include "session/open/guests.h"
#include "session/open/xen_list.h"
#include "session/session_prescan.h"
#include "session/session_state.h"

static int load_domains(struct csg_session *session)
{
	if (!session->options.xen_list)
		return 0;
	return csg_xen_list_load(&session->domains, session->registry.attribution,
				 session->options.xen_list, session->sink);
}

static int load_recordings(struct csg_session *session)
{
	const struct csg_session_setup *o = &session->options;
	const struct csg_guests_setup setup = {
		.guests = o->guests,
		.count = o->guest_count,
		.domains = &session->domains,
		.prescan = csg_session_prescan,
		.prescan_arg = session,
		.guestmount = o->guestmount,
		.tmpdir = o->tmpdir,
		.sink = session->sink,
	};

	return csg_guests_load(&session->guests, &session->registry, session->rec, &setup);
}

int csg_session_load_guests(struct csg_session *session)
{
	int err = load_domains(session);

	return err ? err : load_recordings(session);
}

/* The name that the user gave a VM, or NULL. */
static const char *name_of(const void *arg, int32_t vm)
{
	const struct csg_session *session = arg;

	for (size_t i = 0; session->guests.vms && i < session->options.guest_count; i++)
		if (vm > 0 && session->guests.vms[i] == vm)
			return session->options.guests[i].name;
	return NULL;
}

/* What was said of guests, and is not so by what is known by now. */
int csg_session_report_guest_contradictions(struct csg_session *session)
{
	return csg_guest_contradictions_report(&session->contradictions,
					       session->registry.attribution, name_of, session,
					       session->sink);
}

uint64_t csg_session_guest_time(const struct csg_session *session, int32_t vm, uint64_t time)
{
	const struct csg_time_conv *host = csg_recording_time_conv(session->rec);

	for (size_t i = 0; i < session->guests.count; i++)
		if (session->guests.recorded[i] == vm)
			return csg_guest_time_to_host(
				csg_recording_time_conv(session->guests.recordings[i]), host,
				csg_attribution_offset_of(session->registry.attribution, vm), time);
	return 0;
}

const char *csg_session_guest_name(const struct csg_session *session, int32_t vm)
{
	const char *name = name_of(session, vm);
	const struct csg_xen_domain *domain;

	if (name)
		return name;
	domain = vm > 0 ? csg_xen_domains_of_vmid(&session->domains, (uint32_t)vm) : NULL;
	return domain && !domain->disputed ? domain->name : NULL;
}
