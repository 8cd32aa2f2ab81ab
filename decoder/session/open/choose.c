/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/open/choose.h"

#include "base/vcpu_name.h"
#include "scan/demux.h"
#include "scan/scan.h"
#include "world/ran.h"

/* How much of each stream is searched for EL2. */
#define LOOK_BYTES (1u << 20)
#define LOOK_BLOCK (64u << 10)

static void look(void *arg, const struct csg_track_event *event)
{
	csg_ran_event(arg, event);
}

static void look_at_atoms(void *arg)
{
	csg_ran_atoms(arg);
}

static void look_at_chunk(struct csg_window *window, struct csg_scan *scan,
			  const struct csg_source *source, const struct csg_chunk *chunk,
			  uint64_t *left, struct csg_ran *ran)
{
	struct csg_demux demux;
	struct csg_run run;
	uint64_t offset = 0;

	csg_demux_begin(&demux, chunk->framing, source);
	demux.joins = true;
	csg_scan_restart(scan);
	ran->el = CSG_EL_UNKNOWN;
	while (*left && !csg_ran_at(ran, CSG_EL2)) {
		size_t n = *left < LOOK_BLOCK ? *left : LOOK_BLOCK;
		const uint8_t *bytes;

		if (csg_window_read(window, chunk, offset, &bytes, &n) || !n)
			return;
		csg_demux_input(&demux, chunk->position + offset, bytes, n);
		while (csg_demux_next(&demux, &run)) {
			if (run.reset)
				csg_scan_restart(scan);
			else
				csg_scan_feed(scan, &run);
		}
		offset += n;
		*left -= n;
	}
}

static int look_at_source(struct csg_recording *rec, const struct csg_source *source,
			  struct csg_ran *ran)
{
	uint64_t left = LOOK_BYTES;
	const struct csg_chunk *chunks;
	struct csg_window *window;
	struct csg_scan *scan;
	size_t n;
	int err = csg_window_create(&window, rec);

	if (err)
		return err;
	err = csg_scan_create(&scan, source, look, ran);
	if (err) {
		csg_window_destroy(window);
		return err;
	}
	csg_scan_watch_atoms(scan, look_at_atoms);
	chunks = csg_recording_queue(rec, source->queue, &n);
	for (size_t i = 0; i < n && left && !csg_ran_at(ran, CSG_EL2); i++)
		if (csg_chunk_is_of(&chunks[i], source))
			look_at_chunk(window, scan, source, &chunks[i], &left, ran);
	csg_scan_destroy(scan);
	csg_window_destroy(window);
	return 0;
}

static int find_vcpu_thread(void *arg, const struct csg_event *event)
{
	(void)arg;
	return csg_vcpu_of_name(event->comm) >= 0;
}

int csg_look_for_guests(struct csg_recording *rec, struct csg_choice *choice)
{
	const struct csg_recording_info *info = csg_recording_info(rec);
	int found = 0;

	choice->guests = !info->linux_host || info->has_guest_sideband || info->has_kvm_events;
	if (choice->guests)
		return 0;
	found = csg_recording_events(rec, 1u << CSG_EVENT_COMM, find_vcpu_thread, NULL);
	choice->guests = found > 0;
	return found < 0 ? found : 0;
}

static bool records_contextidr_el2(struct csg_recording *rec)
{
	size_t n;
	const struct csg_source *sources = csg_recording_sources(rec, &n);

	for (size_t i = 0; i < n; i++)
		if (csg_source_vctx(&sources[i]) == CSG_VCTX_CONTEXTIDR_EL2)
			return true;
	return false;
}

/* Looks into the trace until EL2 is found to have run. */
static int look_at_trace(struct csg_recording *rec, struct csg_ran *ran)
{
	size_t n;
	const struct csg_source *sources = csg_recording_sources(rec, &n);

	csg_ran_init(ran);
	for (size_t i = 0; i < n && !csg_ran_at(ran, CSG_EL2); i++) {
		int err = sources[i].protocol == CSG_PROTOCOL_OTHER
				  ? 0
				  : look_at_source(rec, &sources[i], ran);

		if (err)
			return err;
	}
	return 0;
}

/* Without EL2 in the trace of a Linux host. */
static void choose_without_el2(const struct csg_recording_info *info, const struct csg_ran *ran,
			       struct csg_choice *choice)
{
	bool el1 = csg_ran_at(ran, CSG_EL1);

	if (choice->guests && el1 && !info->exclude_kernel && !info->exclude_host) {
		choice->kind = CSG_HV_KVM_NVHE;
		choice->why = "guests ran, and the host's kernel is at EL1";
	} else if (choice->guests) {
		choice->kind = CSG_HV_UNKNOWN;
		choice->why = "guests ran, but EL2 is not in the trace";
	} else if (el1 && info->exclude_kernel) {
		choice->kind = CSG_HV_UNKNOWN;
		choice->why = "EL1 ran though the kernel was excluded";
	} else {
		choice->kind = CSG_HV_NONE;
		choice->why = "no sign of guests";
	}
}

int csg_choose_hypervisor(struct csg_recording *rec, struct csg_choice *choice)
{
	const struct csg_recording_info *info = csg_recording_info(rec);
	struct csg_ran ran;
	int err = csg_look_for_guests(rec, choice);

	choice->kind = CSG_HV_UNKNOWN;
	choice->why = "a snapshot does not say who was at EL2";
	if (err || !info->linux_host)
		return err;
	choice->kind = CSG_HV_KVM_VHE;
	choice->why = "CONTEXTIDR_EL2 is recorded";
	if (records_contextidr_el2(rec))
		return 0;
	err = look_at_trace(rec, &ran);
	if (err)
		return err;
	choice->why = "EL2 runs in the trace";
	if (!csg_ran_at(&ran, CSG_EL2))
		choose_without_el2(info, &ran, choice);
	return 0;
}

/* What of a Linux host's recording contradicts that it ran at EL2. */
static const char *contradict_vhe(const struct csg_recording_info *info, const struct csg_ran *ran)
{
	if (info->exclude_kernel || info->exclude_host || !csg_ran_at(ran, CSG_EL1) ||
	    csg_ran_at(ran, CSG_EL2))
		return NULL;
	return "the kernel was recorded, EL1 ran in the trace, and EL2, where the host's kernel "
	       "would be, did not";
}

static const char *contradict_none(const struct csg_choice *choice, const struct csg_ran *ran)
{
	if (csg_ran_at(ran, CSG_EL2))
		return "EL2 runs in the trace";
	return choice->guests && csg_ran_at(ran, CSG_EL1)
		       ? "vCPU threads, KVM's events or records of guests are in the recording"
		       : NULL;
}

/* Of a Linux host alone, as a snapshot does not say whose its context IDs are. */
static const char *contradict_on_linux(struct csg_recording *rec, enum csg_hypervisor kind,
				       const struct csg_choice *choice, const struct csg_ran *ran)
{
	switch (kind) {
	case CSG_HV_KVM_VHE:
		return contradict_vhe(csg_recording_info(rec), ran);
	case CSG_HV_KVM_NVHE:
	case CSG_HV_PKVM:
	case CSG_HV_XEN:
		if (records_contextidr_el2(rec))
			return "CONTEXTIDR_EL2 is recorded, which Linux does only where its kernel "
			       "is at EL2";
		return kind == CSG_HV_XEN && choice->guests
			       ? "vCPU threads, KVM's events or records of guests are in the "
				 "recording"
			       : NULL;
	default:
		return NULL;
	}
}

int csg_contradict_hypervisor(struct csg_recording *rec, enum csg_hypervisor kind, const char **why)
{
	struct csg_choice choice = {0};
	struct csg_ran ran;
	int err = csg_look_for_guests(rec, &choice);

	*why = NULL;
	if (err || kind == CSG_HV_AUTO || kind == CSG_HV_UNKNOWN)
		return err;
	err = look_at_trace(rec, &ran);
	if (err)
		return err;
	if (kind == CSG_HV_NONE)
		*why = contradict_none(&choice, &ran);
	else if (csg_recording_info(rec)->linux_host)
		*why = contradict_on_linux(rec, kind, &choice, &ran);
	return 0;
}
