/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/session_policy.h"

#include "csguest/attribution.h"
#include "csguest/error.h"
#include "session/open/choose.h"
#include "session/run/stream.h"
#include "session/session_state.h"
#include "util/report.h"

/* The attribution gets to know what kind was chosen. */
static void set_policy(struct csg_session *session)
{
	const struct csg_choice *choice = &session->choice;

	csg_attribution_set_policy(session->registry.attribution, choice->kind,
				   !session->user_chose,
				   choice->guests && choice->kind == CSG_HV_KVM_VHE);
}

/* The recording may contradict the hypervisor that the user says. */
static int contradiction_user(struct csg_session *session, enum csg_hypervisor said)
{
	const char *why;
	int err = csg_contradict_hypervisor(session->rec, said, &why);

	if (err || !why)
		return err;
	csg_report(session->sink, CSG_WARNING, CSG_E_OK, session->options.input, CSG_NO_OFFSET,
		   "leave --hypervisor away: csguest info says what the recording shows",
		   "the recording contradicts --hypervisor %s, which owners rest on: %s",
		   csg_hypervisor_name(said), why);
	return 0;
}

int csg_session_choose_policy(struct csg_session *session)
{
	enum csg_hypervisor said = session->options.hypervisor;
	int err;

	session->user_chose = said != CSG_HV_AUTO;
	if (session->user_chose) {
		session->choice = (struct csg_choice){.kind = said, .why = "given by --hypervisor"};
		err = csg_look_for_guests(session->rec, &session->choice);
		if (!err)
			err = contradiction_user(session, said);
	} else {
		err = csg_choose_hypervisor(session->rec, &session->choice);
	}
	set_policy(session);
	return err;
}

static const char el2_runs[] = "EL2 runs in the trace";

/* EL2 in a Linux host's trace proves VHE, also when it appears late. */
void csg_session_reconsider_policy(struct csg_session *session, size_t i)
{
	struct csg_stream_figures figures;

	if (session->user_chose || session->choice.kind == CSG_HV_KVM_VHE ||
	    !csg_recording_info(session->rec)->linux_host)
		return;
	csg_stream_figures(session->streams[i], &figures);
	if (!figures.el2_ran)
		return;
	csg_report(session->sink, CSG_WARNING, CSG_E_OK, session->options.input, CSG_NO_OFFSET,
		   "decode again with --hypervisor kvm-vhe",
		   "EL2 runs late in the trace: owners before that point are defaults of '%s'",
		   csg_hypervisor_name(session->choice.kind));
	session->choice.kind = CSG_HV_KVM_VHE;
	session->choice.why = el2_runs;
	set_policy(session);
}

void csg_session_resume_policy(struct csg_session *session)
{
	const enum csg_hypervisor kind = csg_attribution_hypervisor(session->registry.attribution);

	if (kind == session->choice.kind)
		return;
	session->choice.kind = kind;
	session->choice.why = el2_runs;
}
