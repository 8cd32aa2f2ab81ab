/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/session.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "csguest/error.h"
#include "csguest/time_conv.h"
#include "guest/answers.h"
#include "session/run/pool.h"
#include "guest/guest_contradictions.h"
#include "session/open/guests.h"
#include "session/open/kernel_check.h"
#include "session/open/level_survey.h"
#include "session/run/merge.h"
#include "session/run/registry.h"
#include "session/seek.h"
#include "session/session_open.h"
#include "session/session_state.h"
#include "session/settings.h"
#include "session/trace_index.h"
#include "session/run/stream.h"
#include "world/policy.h"

/* --- opening --- */

static void tell(void *arg, const struct csg_diag *diag)
{
	struct csg_session *session = arg;

	pthread_mutex_lock(&session->telling);
	session->caller->report(session->caller->arg, diag);
	pthread_mutex_unlock(&session->telling);
}

int csg_session_begin(struct csg_session **result, const struct csg_session_setup *options,
		      const struct csg_diag_sink *sink)
{
	struct csg_session *session = calloc(1, sizeof(*session));
	int err;

	*result = NULL;
	if (!session)
		return -CSG_E_NO_MEMORY;
	session->options = *options;
	session->losses.size = sizeof(session->losses);
	session->caller = sink;
	session->guarded = (struct csg_diag_sink){.report = tell, .arg = session};
	session->sink = sink && sink->report ? &session->guarded : sink;
	pthread_mutex_init(&session->telling, NULL);
	err = csg_session_open_case(session);
	if (err) {
		csg_session_close(session);
		return err;
	}
	*result = session;
	return 0;
}

static void fini_surveys(struct csg_session *session)
{
	size_t n = 0;

	if (session->surveys)
		csg_recording_sources(session->rec, &n);
	for (size_t i = 0; i < n; i++)
		csg_switch_survey_fini(&session->surveys[i]);
	free(session->surveys);
}

void csg_session_close(struct csg_session *session)
{
	if (!session)
		return;
	csg_session_stop(session);
	if (session->rec)
		csg_disk_memory_close(csg_recording_memory(session->rec));
	for (size_t i = 0; i < session->stream_count; i++)
		csg_stream_destroy(session->streams[i]);
	csg_session_seek_fini(session);
	csg_trace_index_fini(session);
	csg_pack_fini(&session->prescan.shown);
	fini_surveys(session);
	csg_checked_kernels_fini(&session->kernels);
	csg_pool_destroy(session->pool);
	free(session->streams);
	free(session->infos);
	free(session->figures);
	free(session->heads);
	csg_merge_fini(&session->merge);
	csg_registry_fini(&session->registry);
	csg_image_destroy(session->image);
	csg_guests_fini(&session->guests);
	csg_guest_contradictions_fini(&session->contradictions);
	csg_xen_domains_fini(&session->domains);
	csg_recording_close(session->rec);
	csg_settings_destroy(session->settings);
	pthread_mutex_destroy(&session->telling);
	free(session);
}

void csg_session_keep(struct csg_session *session, struct csg_settings *settings)
{
	session->settings = settings;
}

void csg_session_cancel(struct csg_session *session)
{
	if (session)
		atomic_store(&session->cancelled, true);
}

void csg_session_stop(struct csg_session *session)
{
	if (!session)
		return;
	session->how = CSG_PULL_STOPPED;
	csg_pool_stop(session->pool);
}

/* --- questions --- */

struct csg_recording *csg_session_recording(struct csg_session *session)
{
	return !session ? NULL : session->rec;
}

struct csg_image *csg_session_image(struct csg_session *session)
{
	return session->image;
}

enum csg_hypervisor csg_session_hypervisor(const struct csg_session *session, const char **why)
{
	if (!session)
		return CSG_HV_UNKNOWN;
	if (why)
		*why = session->choice.why;
	return session->choice.kind;
}

int csg_session_nesting(struct csg_session *session)
{
	return session ? csg_level_survey_nesting(&session->registry) : -CSG_E_USAGE;
}

const struct csg_stream_info *csg_session_streams(const struct csg_session *session, size_t *n)
{
	*n = session->stream_count;
	return session->infos;
}

const struct csg_owner *csg_session_owner(const struct csg_session *session, uint32_t owner)
{
	if (!session || owner >= session->registry.owners.count)
		return NULL;
	return csg_owner_table_get(&session->registry.owners, owner);
}

size_t csg_session_owner_count(const struct csg_session *session)
{
	return !session ? 0 : session->registry.owners.count;
}

struct csg_space *csg_session_space(struct csg_session *session, uint32_t owner)
{
	if (owner >= csg_session_owner_count(session))
		return NULL;
	return csg_registry_space(&session->registry, owner);
}

uint64_t csg_session_time(const struct csg_session *session, uint64_t timestamp)
{
	return !session ? 0 : csg_time_conv_to_ns(csg_recording_time_conv(session->rec), timestamp);
}

struct csg_attribution *csg_session_attribution(const struct csg_session *session)
{
	return session->registry.attribution;
}

bool csg_session_is_host_time(const struct csg_session *session, uint32_t owner)
{
	if (owner >= csg_session_owner_count(session))
		return false;
	return csg_policy_has(session->choice.kind, CSG_TRAIT_NO_GUEST) ||
	       csg_attribution_is_physical_time(session->registry.attribution,
						csg_session_owner(session, owner));
}

int32_t csg_session_vm_of(const struct csg_session *session, uint32_t owner)
{
	if (owner >= csg_session_owner_count(session))
		return CSG_VM_UNKNOWN;
	return csg_attribution_vm_of(session->registry.attribution,
				     csg_session_owner(session, owner));
}

int32_t csg_session_process_number(const struct csg_session *session, int32_t pid, uint64_t time)
{
	if (!session)
		return CSG_PID_UNKNOWN;
	return csg_attribution_process_number(session->registry.attribution, pid, time);
}

int64_t csg_session_untraced_owner(struct csg_session *session, int32_t cpu,
				   enum csg_untraced_gap gap, uint64_t from, uint64_t *until)
{
	struct csg_untraced_span span;

	csg_attribution_untraced(session->registry.attribution, cpu, gap, from, *until, &span);
	*until = span.until;
	return csg_registry_number(&session->registry, &span.owner);
}

const struct csg_guests *csg_session_guests(const struct csg_session *session)
{
	return &session->guests;
}

const struct csg_losses *csg_session_losses(const struct csg_session *session)
{
	return !session ? NULL : &session->losses;
}
