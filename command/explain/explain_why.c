/* SPDX-License-Identifier: BSD-3-Clause */
#include "explain/explain_why.h"

#include <inttypes.h>

#include "text/sentence.h"

/* An item of a list: in text a line. */
static void item(const struct csg_explain *x, const struct csg_sentence *s)
{
	if (x->form->json)
		csg_form_string(x->form, NULL, NULL, s->text);
	else
		csg_form_line(x->form, s->text);
}

static const struct csg_owner *owner_of(const struct csg_explain *x, uint32_t number)
{
	return x->lookup->owner(x->lookup->arg, number);
}

/* An address as it is shown. */
static uint64_t token(const struct csg_explain *x, uint64_t address)
{
	return csg_anonym_address(x->lookup->anonym, address);
}

/* --- the world --- */

static void say_neighbour(const struct csg_explain *x, struct csg_sentence *s)
{
	const struct csg_evidence_place *place = x->place;
	const struct csg_evidence_segment *b = &place->before, *a = &place->after;

	if (b->exists && !b->lost && b->el == CSG_EL1 && place->at.entered.kind != CSG_BORDER_LOSS)
		csg_sentence_add(
			s, "entered from EL1, where a guest ran from index %" PRIu64 " to %" PRIu64,
			b->begin, b->end);
	else if (a->exists && !a->lost && a->el == CSG_EL1)
		csg_sentence_add(s, "left to EL1 at index %" PRIu64 ", where a guest's kernel runs",
				 a->begin);
	else
		csg_sentence_add(s, "it is next to code at EL1");
	csg_sentence_add(s, ", with nothing lost in between; the host's EL0 only ever meets EL2");
}

/* The base of the vectors at an address, if it was seen. */
static const struct csg_evidence_base *base_of(const struct csg_evidence_place *place,
					       uint64_t address)
{
	for (uint32_t i = 0; i < place->base_count; i++)
		if (place->bases[i].base == CSG_EVIDENCE_VECTORS(address))
			return &place->bases[i];
	return NULL;
}

static void say_vectors(const struct csg_explain *x, struct csg_sentence *s)
{
	const struct csg_evidence_place *place = x->place;
	const struct csg_evidence_segment *to = &place->after;
	const struct csg_evidence_base *base;
	bool guest = owner_of(x, place->at.owner)->world == CSG_WORLD_GUEST;

	if (!to->exists || !to->has_first) {
		csg_sentence_add(s, "left to exception vectors that identify its owner");
		return;
	}
	base = base_of(place, to->first);
	csg_sentence_add(s,
			 "left to EL2 at index %" PRIu64 " by an exception to 0x%" PRIx64
			 ": vectors at 0x%" PRIx64,
			 to->entered.index, token(x, to->first),
			 token(x, CSG_EVIDENCE_VECTORS(to->first)));
	if (guest && (!base || !base->guest))
		csg_sentence_add(s, ", KVM's own by their symbol");
	if (guest && base && base->guest)
		csg_sentence_add(
			s,
			", KVM's own while a guest runs: learned from the guest's exit at index "
			"%" PRIu64,
			base->guest_index);
	for (unsigned int i = 0; !guest && i < place->base_count; i++)
		if (place->bases[i].guest)
			csg_sentence_add(
				s,
				", not those at 0x%" PRIx64 " that guests exit to on this CPU "
				"(learned at index %" PRIu64 ")",
				token(x, place->bases[i].base), place->bases[i].guest_index);
}

static void say_level(const struct csg_explain *x, struct csg_sentence *s)
{
	const char *why;
	enum csg_hypervisor kind = csg_session_hypervisor(x->session, &why);
	const struct csg_owner *o = owner_of(x, x->place->at.owner);

	csg_sentence_add(s, "EL%u belongs to the %s under %s (%s)", o->el, csg_world_name(o->world),
			 csg_hypervisor_name(kind), why ? why : "chosen");
}

static void say_eret(const struct csg_explain *x, const struct csg_evidence_item *item,
		     struct csg_sentence *s)
{
	if (item->index != CSG_NO_INDEX)
		csg_sentence_add(s, "entered by the ERET at 0x%" PRIx64 " (index %" PRIu64 ")",
				 token(x, item->value), item->index);
	else
		csg_sentence_add(s, "entered by an ERET of this world");
}

/* --- VM, vCPU, thread --- */

static const char *comm_at(const struct csg_explain *x, int32_t tid, int32_t *pid)
{
	uint64_t time = x->place->here_time ? x->place->here_time : UINT64_MAX;

	*pid = csg_session_process(x->session, CSG_VM_HOST, tid, time);
	if (*pid < 0) {
		time = UINT64_MAX;
		*pid = csg_session_process(x->session, CSG_VM_HOST, tid, time);
	}
	return csg_anonym_name(x->lookup->anonym, CSG_ANONYM_COMM,
			       csg_session_comm(x->session, CSG_VM_HOST, tid, time));
}

static void say_host_thread(const struct csg_explain *x, struct csg_sentence *s)
{
	const struct csg_owner *o = owner_of(x, x->place->at.owner);
	int32_t pid;
	const char *comm = comm_at(x, o->host_tid, &pid);

	csg_sentence_add(s, "%d", o->host_tid);
	if (pid >= 0)
		csg_sentence_add(s, ", thread \"%s\" of process %d in the host", comm ? comm : "?",
				 pid);
	else
		csg_sentence_add(s, ", which no record of the host names");
	if (o->world == CSG_WORLD_GUEST)
		csg_sentence_add(s, "; KVM leaves it as it is while a guest runs");
}

/* What a source rests on here. */
static void say(const struct csg_explain *x, const struct csg_evidence_item *item,
		struct csg_sentence *s)
{
	const struct csg_owner *o = owner_of(x, x->place->at.owner);
	const char *why;
	enum csg_hypervisor kind = csg_session_hypervisor(x->session, &why);

	switch (item->source) {
	case CSG_EVIDENCE_POLICY_DEFAULT:
		csg_sentence_add(s, "the trace has no evidence; it is the default under %s (%s)",
				 csg_hypervisor_name(kind), why ? why : "chosen");
		break;
	case CSG_EVIDENCE_EXCEPTION_LEVEL:
		say_level(x, s);
		break;
	case CSG_EVIDENCE_SECURITY_STATE:
		csg_sentence_add(
			s,
			"the context states a security state that is neither host's nor guest's");
		break;
	case CSG_EVIDENCE_NEIGHBOUR_EL:
		say_neighbour(x, s);
		break;
	case CSG_EVIDENCE_VECTOR_BASE:
		say_vectors(x, s);
		break;
	case CSG_EVIDENCE_ENTRY_ERET:
		say_eret(x, item, s);
		break;
	case CSG_EVIDENCE_HVC_RETURN:
		csg_sentence_add(s, "known from the return address of the host's last HVC");
		break;
	case CSG_EVIDENCE_CONTEXTIDR_EL1:
	case CSG_EVIDENCE_CONTEXTIDR_EL2:
		say_host_thread(x, s);
		break;
	case CSG_EVIDENCE_VMID:
		if (item->index == CSG_NO_INDEX)
			csg_sentence_add(s, "in the context before this segment");
		else
			csg_sentence_add(s, "%" PRIu64 " in the context at index %" PRIu64,
					 item->value, item->index);
		break;
	case CSG_EVIDENCE_RESIDENCY:
		csg_sentence_add(
			s, "the host's switch records put the thread on this CPU at this time");
		break;
	case CSG_EVIDENCE_SWITCH_ORDER:
		csg_sentence_add(s, "the switches of threads that the host's kernel executes here, "
				    "counted, are its switch records in their order");
		break;
	case CSG_EVIDENCE_KVM_EVENTS:
		csg_sentence_add(
			s, o->reason == CSG_REASON_CONFLICT
				   ? "the exits from guests in kvm:kvm_exit's records match "
				     "no sequence of switches that could be this one"
				   : "of the sequences of switches that this may be, only one "
				     "matches the exits from guests in kvm:kvm_exit's records");
		break;
	case CSG_EVIDENCE_TIMESTAMP_DOMAIN:
		csg_sentence_add(s, o->world == CSG_WORLD_GUEST
					    ? "timestamps here are the host's less this VM's "
					      "counter offset"
					    : "timestamps here are the host's counter, so that the "
					      "vCPU was put");
		break;
	case CSG_EVIDENCE_GUEST_SIDEBAND:
		csg_sentence_add(s, "the guest's own switch records, brought to the host's time");
		break;
	case CSG_EVIDENCE_GUEST_SWITCH_ORDER:
		csg_sentence_add(s, "the switches of threads that the guest's kernel executes "
				    "here, counted, are its own switch records in their order");
		break;
	case CSG_EVIDENCE_NESTED_ENTRY:
		csg_sentence_add(s, o->level == CSG_LEVEL_GUEST
					    ? "KVM's calls before it entered are those for a guest "
					      "itself"
					    : "KVM's calls before it entered are those for a guest "
					      "of the guest");
		break;
	case CSG_EVIDENCE_GUEST_CPU:
		csg_sentence_add(s, "what the guest recorded on its CPU can have happened in this "
				    "vCPU's thread alone, whatever their numbers");
		break;
	case CSG_EVIDENCE_RECORDING:
		csg_sentence_add(s, "the recording follows this thread only");
		break;
	case CSG_EVIDENCE_USER_SAID:
		csg_sentence_add(s, "given by an option");
		break;
	default:
		break;
	}
}

/* world: the sources for the world, or all others. */
static void list_evidence(const struct csg_explain *x, bool world)
{
	for (size_t i = 0; i < x->item_count; i++) {
		const struct csg_evidence_item *from = &x->items[i];
		struct csg_sentence s = {""};
		char name[64];

		if (((from->settles & CSG_PART_WORLD) != 0) != world)
			continue;
		csg_evidence_text(from->source, name, sizeof(name));
		csg_sentence_add(&s, "%s: ", name);
		say(x, from, &s);
		item(x, &s);
	}
}

static void say_vcpu(const struct csg_explain *x, const struct csg_owner *o)
{
	static const char *const sources[] = {
		[CSG_VCPU_BY_EVENT] =
			"it recorded kvm:kvm_entry or kvm:kvm_exit; its number is not known",
		[CSG_VCPU_BY_NAME] = "the thread has the name that a VMM gives vCPUs",
		[CSG_VCPU_BY_ID_INDEX] = "the recording's ID_INDEX names it",
		[CSG_VCPU_BY_DEBUGFS] = "KVM's debugfs listed it",
		[CSG_VCPU_BY_USER] = "given by --vcpu",
	};
	const struct csg_vcpu_entry *vcpu = csg_vcpu_of_thread(x->session, o->host_tid);
	struct csg_sentence s = {""};
	char number[CSG_VM_TEXT_SIZE];

	if (!vcpu || o->host_tid < 0)
		return;
	if (vcpu->source == CSG_VCPU_BY_TRACE) {
		csg_sentence_add(
			&s,
			"a guest ran under thread %d of process %d in this trace; its vCPU "
			"number is not known",
			vcpu->tid, csg_vm_pid(vcpu->vm));
		item(x, &s);
		return;
	}
	csg_sentence_add(&s, "thread %d runs a vCPU", vcpu->tid);
	if (vcpu->vcpu >= 0)
		csg_sentence_add(&s, ", number %d,", vcpu->vcpu);
	csg_vm_text(vcpu->vm, number, sizeof(number));
	csg_sentence_add(&s, " of VM %s", number);
	if (vcpu->source < sizeof(sources) / sizeof(*sources) && sources[vcpu->source])
		csg_sentence_add(&s, ": %s", sources[vcpu->source]);
	item(x, &s);
}

/* --- what is unknown --- */

static const char *remedy(enum csg_reason reason)
{
	static const char *const remedies[CSG_REASON_COUNT] = {
		[CSG_REASON_NO_CONTEXT] = "nothing: the next context settles what follows it",
		[CSG_REASON_NO_POLICY] = "say what the machine runs: --hypervisor",
		[CSG_REASON_EL0_OPEN] = "trace EL2 or the guests' EL1 as well (no :u), so that "
					"neighbours and exit vectors are seen",
		[CSG_REASON_EL1_OPEN] = "record CONTEXTIDR_EL1 and the host's switch records "
					"(--switch-events)",
		[CSG_REASON_NOT_TRACED] = "--hypervisor, if another kind than the one in force ran",
		[CSG_REASON_NO_CONTEXT_ID] = "record with cs_etm/contextid1,contextid2/ and "
					     "--switch-events",
		[CSG_REASON_NO_HOST_TIME] =
			"context IDs in the trace (contextid1,contextid2), or timestamps of the "
			"host's time: the generic counter (FEAT_TRF), cs_etm/timestamp/",
		[CSG_REASON_HOST_SWITCH] =
			"context IDs in the trace (contextid1,contextid2), or more timestamps: the "
			"switch is known to some microseconds only",
		[CSG_REASON_NO_HOST_SWITCH] =
			"a recording that lost no switch records (-m with more pages), or context "
			"IDs in the trace (contextid1,contextid2)",
		[CSG_REASON_DISTRUSTED] =
			"find out which is wrong, trace or switch records: the summary lists where "
			"they contradict each other",
		[CSG_REASON_PID_NAMESPACE] =
			"record in the host's PID namespace (docker run --pid=host, hostPID: true)",
		[CSG_REASON_NO_LEVEL] =
			"the host's kernel with its symbols as it ran (--kcore, collect), and "
			"where it can run guests of guests a trace of EL2 without losses since KVM "
			"entered last",
		[CSG_REASON_NO_NESTED] = "nothing yet: recordings of guests of guests are not read",
		[CSG_REASON_NO_KVM_EVENT] =
			"record -e kvm:kvm_entry -e kvm:kvm_exit on all CPUs, without a filter",
		[CSG_REASON_NO_VMID] = "trace VMIDs (TRCCONFIGR.VMID), by which Xen's domains are "
				       "known",
		[CSG_REASON_ZERO_CONTEXT_ID] = "the host's switch records (--switch-events) and "
					       "timestamps, which show when the "
					       "CPU was idle",
		[CSG_REASON_NO_THREAD] =
			"record all processes (-a), so that COMM and FORK records name "
			"the thread",
		[CSG_REASON_NO_GUEST] = "a recording made in the guest at the same time (csguest "
					"collect there), given by --guest",
		[CSG_REASON_NO_SWITCH] = "a recording of the guest that covers this time",
		[CSG_REASON_SWITCH] =
			"CONTEXTIDR_EL1 in the trace (contextid1), or more timestamps: "
			"the switch is known to some microseconds only",
		[CSG_REASON_CONFLICT] =
			"find out which of the evidence above is wrong: --hypervisor "
			"overrules the policy",
		[CSG_REASON_SWITCH_ORDER] =
			"timestamps that are the guest's counter (FEAT_TRF), or CONTEXTIDR_EL1 in "
			"the trace (contextid1)",
		[CSG_REASON_NO_DOMAIN] =
			"Xen's list of domains from when the trace was recorded (csguest collect "
			"in dom0), or --guest NAME,vmid=N without a list",
		[CSG_REASON_NO_VMM] =
			"KVM's list of vCPUs (csguest collect, --kvm-list), samples of "
			"kvm:kvm_entry, or --vcpu TID=VM:N",
		[CSG_REASON_NO_SWITCHES] = "a recording of the guest with --switch-events",
		[CSG_REASON_LOST_SWITCH] = "a recording of the guest that lost no records (-m "
					   "with more pages), or CONTEXTIDR_EL1 in the trace",
		[CSG_REASON_NO_GUEST_CPU] =
			"give the thread that runs each vCPU with --vcpu TID=VM:N",
		[CSG_REASON_NO_GUEST_CLOCK] =
			"a recording of the guest by a perf that writes TIME_CONV (5.9 and later)",
		[CSG_REASON_REUSED_ID] = "a recording that lost no records (-m with more pages), "
					 "with timestamps of the host's time (FEAT_TRF)",
		[CSG_REASON_NO_TIME] = "timestamps that are the guest's counter (FEAT_TRF) and "
				       "come often, or CONTEXTIDR_EL1 in the trace (contextid1)",
		[CSG_REASON_NO_OFFSET] =
			"give it with --guest NAME,offset=TICKS (csguest offsets), or "
			"record longer, with --switch-events on both sides and a "
			"perf that writes TIME_CONV (5.9 and later)",
	};

	return reason < CSG_REASON_COUNT ? remedies[reason] : NULL;
}

static void unknown(const struct csg_explain *x, const char *what, const char *why,
		    const char *settle)
{
	struct csg_sentence s = {""};

	csg_sentence_add(&s, "%s", what);
	if (why)
		csg_sentence_add(&s, ": %s", why);
	if (settle)
		csg_sentence_add(&s, ".  Would settle it: %s", settle);
	item(x, &s);
}

static void list_unknown(const struct csg_explain *x, const struct csg_owner *o)
{
	const char *why = o->reason ? csg_reason_text(o->reason) : NULL;

	if (x->place->at.lost) {
		unknown(x, "everything", csg_gap_name(x->place->at.entered.gap),
			"a larger AUX buffer (-m,SIZE) or fewer filters");
		return;
	}
	if (o->world == CSG_WORLD_UNKNOWN) {
		unknown(x, "world", why, remedy(o->reason));
		return;
	}
	if (o->world == CSG_WORLD_GUEST && o->vm == CSG_VM_UNKNOWN)
		unknown(x, "VM", why, remedy(o->reason));
	if (o->world == CSG_WORLD_GUEST && o->vcpu == CSG_VCPU_UNKNOWN)
		unknown(x, "vCPU", NULL,
			"ID_INDEX of perf inject --guest-data, or the VMM's thread names");
	if (o->world == CSG_WORLD_GUEST && o->pid == CSG_PID_UNKNOWN)
		unknown(x, "the guest's process", why ? why : "only the guest knows which it runs",
			remedy(o->reason ? o->reason : CSG_REASON_NO_GUEST));
	if (o->world == CSG_WORLD_HOST && o->pid == CSG_PID_UNKNOWN)
		unknown(x, "the host's thread", why, remedy(o->reason));
	if (o->evidence == CSG_EVIDENCE_POLICY_DEFAULT)
		unknown(x, "whether the world is right",
			"it rests on nothing but what the policy expects",
			"context IDs, EL2 in the trace");
	if (x->place->at.missing)
		unknown(x, "some of its instructions", "their code is missing",
			"the files that the summary names");
}

void csg_explain_why(const struct csg_explain *x)
{
	const struct csg_owner *o = owner_of(x, x->place->at.owner);
	bool lost = x->place->at.lost;

	csg_form_open_list(x->form, "world", "why this world");
	list_evidence(x, true);
	csg_form_close_list(x->form);
	csg_form_open_list(x->form, "who", "why this VM, vCPU, process");
	list_evidence(x, false);
	if (!lost)
		say_vcpu(x, o);
	csg_form_close_list(x->form);
	csg_form_open_list(x->form, "unknown", "what is unknown");
	list_unknown(x, o);
	csg_form_close_list(x->form);
}
