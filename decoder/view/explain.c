/* SPDX-License-Identifier: BSD-3-Clause */
#include "view/explain.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "view/timeline_print.h"
#include "world/world.h"

#define SENTENCE_MAX 512
#define PACKETS_AROUND 24 /* bytes before and behind a place of which packets are shown */

struct sentence {
	char text[SENTENCE_MAX];
};

static void add(struct sentence *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(struct sentence *s, const char *format, ...)
{
	size_t n = strlen(s->text);
	va_list ap;

	va_start(ap, format);
	vsnprintf(s->text + n, sizeof(s->text) - n, format, ap);
	va_end(ap);
}

/* An item of a list: in text a line. */
static void item(const struct csg_explain *x, const struct sentence *s)
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

static void who(const struct csg_explain *x, const struct csg_evidence_segment *segment, char *text,
		size_t size)
{
	struct csg_timeline_who w = {.lost = segment->lost, .gap = segment->entered.gap};
	uint64_t time = x->evidence->here_time ? x->evidence->here_time : UINT64_MAX;
	const char *comm;

	w.owner = *owner_of(x, segment->owner);
	if (x->lookup->guest && w.owner.vm > 0)
		w.guest = x->lookup->guest(x->lookup->arg, w.owner.vm);
	comm = segment->lost ? NULL : x->lookup->comm(x->lookup->arg, segment->owner, time);
	if (comm)
		memcpy(w.comm, comm, strnlen(comm, sizeof(w.comm) - 1));
	csg_timeline_who_text(&w, text, size);
}

/* --- where --- */

static void stamp(const struct csg_explain *x, const char *key, const char *label,
		  const struct csg_evidence_stamp *s)
{
	struct sentence text = {""};

	if (!s->exists) {
		csg_form_null(x->form, key);
		return;
	}
	add(&text, "0x%" PRIx64 " at index %" PRIu64, s->raw, s->index);
	if (s->time)
		add(&text, ", in the host %" PRIu64 ".%09" PRIu64 " s", s->time / 1000000000,
		    s->time % 1000000000);
	csg_form_string(x->form, key, label, text.text);
}

static void where(const struct csg_explain *x)
{
	const struct csg_evidence *ev = x->evidence;
	const struct csg_source *source = x->stream->source;
	const struct csg_owner *o = owner_of(x, ev->at.owner);
	struct csg_form *f = x->form;

	csg_form_u64(f, "stream", "stream", x->stream->stream);
	csg_form_u64(f, "queue", "queue", source->queue);
	csg_form_u64(f, "trace_id", "trace ID", source->trace_id);
	if (source->cpu >= 0)
		csg_form_i64(f, "cpu", "CPU", source->cpu);
	csg_form_u64(f, "index", "index", ev->index);
	if (x->time)
		csg_form_time(f, "time", "time asked for", x->time);
	csg_form_string(f, "element", "element", csg_element_name(ev->here.kind));
	stamp(x, "timestamp_before", "timestamp before", &ev->stamp_before);
	stamp(x, "timestamp_after", "timestamp behind", &ev->stamp_after);
	if (!ev->at.lost && ev->stamp_before.exists && !ev->stamp_before.time &&
	    source->ts_source == CSG_TS_SOURCE_VIRTUAL && csg_session_vcpu(x->session, o->host_tid))
		csg_form_string(
			f, "timestamp_note", "note",
			"a vCPU may be loaded here, and its guest's counter offset "
			"(CNTVOFF_EL2) is not known: the timestamp does not tell the host's "
			"time");
}

/* --- the segment --- */

/* An address, with its symbol where there is one. */
static void address(const struct csg_explain *x, struct sentence *s, uint32_t owner, uint64_t at)
{
	struct csg_space *space = x->lookup->space(x->lookup->arg, owner);
	uint64_t time = x->evidence->here_time ? x->evidence->here_time : UINT64_MAX;
	struct csg_symbol symbol = {0};

	add(s, "0x%" PRIx64, at);
	if (space)
		x->lookup->symbol(x->lookup->arg, space, at, time, &symbol);
	if (symbol.name)
		add(s, " (%s+0x%" PRIx64 ")", symbol.name, at - symbol.start);
}

/* from: the segment that was left. */
static void border_text(const struct csg_explain *x, struct sentence *s,
			const struct csg_evidence_border *b,
			const struct csg_evidence_segment *from)
{
	switch (b->kind) {
	case CSG_BORDER_BEGIN:
		add(s, "the trace begins");
		break;
	case CSG_BORDER_LOSS:
		add(s, "trace was lost at index %" PRIu64 " (%s): who ran before does not tell",
		    b->index, csg_gap_name(b->gap));
		break;
	case CSG_BORDER_EXCEPTION:
		add(s, "exception 0x%02" PRIx32 " (%s) at index %" PRIu64, b->number,
		    csg_left_name((int16_t)b->number), b->index);
		if (b->has_address)
			add(s, ", return address ");
		if (b->has_address)
			address(x, s, from->owner, b->address);
		break;
	case CSG_BORDER_ERET:
		add(s, "exception return at index %" PRIu64, b->index);
		if (b->has_address)
			add(s, ", by the ERET at ");
		if (b->has_address)
			address(x, s, from->owner, b->address);
		break;
	case CSG_BORDER_CONTEXT:
		add(s, "the context changed");
		break;
	}
}

static void neighbour(const struct csg_explain *x, const char *key, const char *label,
		      const struct csg_evidence_segment *from,
		      const struct csg_evidence_segment *to, bool left)
{
	const struct csg_evidence_segment *other = left ? to : from;
	struct sentence s = {""};
	char name[SENTENCE_MAX / 2];

	if (!to->exists) {
		csg_form_string(x->form, key, label, "the trace ends");
		return;
	}
	border_text(x, &s, &to->entered, from);
	if (left && to->has_first && !to->lost) {
		add(&s, ", to ");
		address(x, &s, to->owner, to->first);
	}
	if (other->exists) {
		who(x, other, name, sizeof(name));
		add(&s, left ? "; then " : "; before: ");
		if (!other->lost && other->el < CSG_EL_UNKNOWN)
			add(&s, "EL%u, ", other->el);
		add(&s, "%s", name);
	}
	csg_form_string(x->form, key, label, s.text);
}

static void context(const struct csg_explain *x, const struct csg_element *e)
{
	static const char *const securities[] = {"non-secure", "secure", "root", "realm",
						 "security unknown"};
	enum csg_vctx_kind kind = csg_source_vctx(x->stream->source);
	unsigned int security = e->info >> CSG_CONTEXT_SECURITY_SHIFT;
	struct sentence s = {""};

	add(&s, "index %" PRIu64 ": ", e->index);
	if (e->el < CSG_EL_UNKNOWN)
		add(&s, "EL%u", e->el);
	else
		add(&s, "EL?");
	add(&s, ", %s, %s", securities[security < 5 ? security : 4],
	    e->info & CSG_CONTEXT_AARCH64 ? "AArch64" : "AArch32");
	if (e->info & CSG_CONTEXT_HAS_VCTX && kind != CSG_VCTX_NONE)
		add(&s, ", %s %" PRIu64, kind == CSG_VCTX_VMID ? "VMID" : "CONTEXTIDR_EL2", e->end);
	if (e->info & CSG_CONTEXT_HAS_CONTEXTIDR && x->stream->source->trcconfigr & 1u << 6)
		add(&s, ", CONTEXTIDR_EL1 %" PRIu64, e->start);
	csg_form_string(x->form, "context", "context", s.text);
}

static void segment(const struct csg_explain *x)
{
	const struct csg_evidence *ev = x->evidence;
	struct csg_form *f = x->form;

	csg_form_open(f, "segment", "segment");
	csg_form_u64(f, "begin", "from index", ev->at.begin);
	csg_form_u64(f, "end", "to index", ev->at.end);
	if (!ev->at.lost) {
		csg_form_u64(f, "instructions", "instructions", ev->at.instructions);
		csg_form_u64(f, "missing", "code missing", ev->at.missing);
	}
	if (ev->at.has_context)
		context(x, &ev->at.context);
	neighbour(x, "entered", "entered by", &ev->before, &ev->at, false);
	neighbour(x, "left", "left by", &ev->at, &ev->after, true);
	csg_form_close(f);
}

/* --- the world --- */

static void say_neighbour(const struct csg_explain *x, struct sentence *s)
{
	const struct csg_evidence *ev = x->evidence;
	const struct csg_evidence_segment *b = &ev->before, *a = &ev->after;

	if (b->exists && !b->lost && b->el == CSG_EL1 && ev->at.entered.kind != CSG_BORDER_LOSS)
		add(s, "entered from EL1, where a guest ran from index %" PRIu64 " to %" PRIu64,
		    b->begin, b->end);
	else if (a->exists && !a->lost && a->el == CSG_EL1)
		add(s, "left to EL1 at index %" PRIu64 ", where a guest's kernel runs", a->begin);
	else
		add(s, "EL1 lies on one side of it");
	add(s, ", with nothing lost in between; the host's EL0 only ever meets EL2");
}

static void say_vectors(const struct csg_explain *x, struct sentence *s)
{
	const struct csg_evidence *ev = x->evidence;
	const struct csg_evidence_segment *to = &ev->after;
	const struct csg_evidence_base *base;
	bool guest = owner_of(x, ev->at.owner)->world == CSG_WORLD_GUEST;

	if (!to->exists || !to->has_first) {
		add(s, "left to exception vectors that tell whose it was");
		return;
	}
	base = csg_evidence_base(ev, to->first);
	add(s,
	    "left to EL2 at index %" PRIu64 " by an exception to 0x%" PRIx64
	    ": vectors at 0x%" PRIx64,
	    to->entered.index, to->first, CSG_VECTOR_BASE(to->first));
	if (guest && base && base->guest)
		add(s,
		    ", KVM's own while a guest runs: learned from the guest's exit at index "
		    "%" PRIu64,
		    base->guest_index);
	for (unsigned int i = 0; !guest && i < ev->base_count; i++)
		if (ev->bases[i].guest)
			add(s,
			    ", not those at 0x%" PRIx64 " that guests exit to on this CPU "
			    "(learned at index %" PRIu64 ")",
			    ev->bases[i].base, ev->bases[i].guest_index);
}

static void say_level(const struct csg_explain *x, struct sentence *s)
{
	const char *why;
	enum csg_hypervisor kind = csg_session_hypervisor(x->session, &why);
	const struct csg_owner *o = owner_of(x, x->evidence->at.owner);

	add(s, "EL%u belongs to the %s under %s (%s)", o->el, csg_world_name(o->world),
	    csg_hypervisor_name(kind), why ? why : "chosen");
}

static void say_eret(const struct csg_explain *x, struct sentence *s)
{
	const struct csg_evidence_border *b = &x->evidence->at.entered;

	if (b->kind == CSG_BORDER_ERET && b->has_address)
		add(s, "entered by the ERET at 0x%" PRIx64 " (index %" PRIu64 ")", b->address,
		    b->index);
	else
		add(s, "entered by an ERET of this world");
}

/* What a witness for the world rests on here. */
static void say_world(const struct csg_explain *x, enum csg_witness witness, struct sentence *s)
{
	const char *why;
	enum csg_hypervisor kind = csg_session_hypervisor(x->session, &why);

	switch (witness) {
	case CSG_WITNESS_POLICY_DEFAULT:
		add(s, "nothing in the trace tells; it is what %s makes one expect (%s)",
		    csg_hypervisor_name(kind), why ? why : "chosen");
		break;
	case CSG_WITNESS_EXCEPTION_LEVEL:
		say_level(x, s);
		break;
	case CSG_WITNESS_SECURITY_STATE:
		add(s, "the context states a security state that is neither host's nor guest's");
		break;
	case CSG_WITNESS_NEIGHBOUR_EL:
		say_neighbour(x, s);
		break;
	case CSG_WITNESS_VECTOR_BASE:
		say_vectors(x, s);
		break;
	case CSG_WITNESS_ENTRY_ERET:
		say_eret(x, s);
		break;
	case CSG_WITNESS_HVC_RETURN:
		add(s, "told by the return address of the host's last HVC");
		break;
	default:
		break;
	}
}

static void list_witnesses(const struct csg_explain *x, uint32_t set,
			   void (*say)(const struct csg_explain *, enum csg_witness,
				       struct sentence *))
{
	for (uint32_t bit = 1; bit; bit <<= 1) {
		struct sentence s = {""}, what = {""};
		char name[64];

		if (!(set & bit))
			continue;
		say(x, (enum csg_witness)bit, &what);
		csg_witness_text(bit, name, sizeof(name));
		if (!what.text[0])
			continue;
		add(&s, "%s: %s", name, what.text);
		item(x, &s);
	}
}

/* --- VM, vCPU, thread --- */

static const char *comm_at(const struct csg_explain *x, int32_t tid, int32_t *pid)
{
	uint64_t time = x->evidence->here_time ? x->evidence->here_time : UINT64_MAX;
	struct csg_machine *host;
	const char *comm = NULL;

	*pid = -1;
	if (tid < 0 || csg_image_machine(csg_session_image(x->session), 0, &host))
		return NULL;
	*pid = csg_machine_thread(host, tid, time, &comm);
	if (*pid < 0)
		*pid = csg_machine_thread(host, tid, UINT64_MAX, &comm);
	return comm;
}

static void say_host_thread(const struct csg_explain *x, struct sentence *s)
{
	const struct csg_owner *o = owner_of(x, x->evidence->at.owner);
	int32_t pid;
	const char *comm = comm_at(x, o->host_tid, &pid);

	add(s, "%d", o->host_tid);
	if (pid >= 0)
		add(s, ", thread \"%s\" of process %d in the host", comm ? comm : "?", pid);
	else
		add(s, ", which no record of the host names");
	if (o->world == CSG_WORLD_GUEST)
		add(s, "; KVM leaves it as it is while a guest runs");
}

static void say_who(const struct csg_explain *x, enum csg_witness witness, struct sentence *s)
{
	switch (witness) {
	case CSG_WITNESS_CONTEXTIDR_EL1:
	case CSG_WITNESS_CONTEXTIDR_EL2:
		say_host_thread(x, s);
		break;
	case CSG_WITNESS_VMID:
		add(s, "%" PRIu64 " in the context at index %" PRIu64, x->evidence->at.context.end,
		    x->evidence->at.context.index);
		break;
	case CSG_WITNESS_RESIDENCY:
		add(s, "the host's switch records put the thread on this CPU at this time");
		break;
	case CSG_WITNESS_TIMESTAMP_DOMAIN:
		add(s, "timestamps here are the host's less this VM's counter offset");
		break;
	case CSG_WITNESS_GUEST_SIDEBAND:
		add(s, "the guest's own switch records, brought to the host's time");
		break;
	case CSG_WITNESS_RECORDING:
		add(s, "the recording follows this thread only");
		break;
	case CSG_WITNESS_USER_SAID:
		add(s, "the user said so");
		break;
	default:
		break;
	}
}

static void say_vcpu(const struct csg_explain *x, const struct csg_owner *o)
{
	static const char *const sources[] = {
		[CSG_VCPU_BY_TRACE] = "a guest ran under it in this trace; its number is not known",
		[CSG_VCPU_BY_NAME] = "the thread has the name that QEMU gives vCPUs",
		[CSG_VCPU_BY_ID_INDEX] = "the recording's ID_INDEX names it",
		[CSG_VCPU_BY_DEBUGFS] = "KVM's debugfs listed it",
		[CSG_VCPU_BY_USER] = "the user said so (--vcpu)",
	};
	const struct csg_vcpu_entry *vcpu = csg_session_vcpu(x->session, o->host_tid);
	struct sentence s = {""};

	if (!vcpu || o->host_tid < 0)
		return;
	add(&s, "thread %d runs a vCPU", vcpu->tid);
	if (vcpu->vcpu >= 0)
		add(&s, ", number %d,", vcpu->vcpu);
	add(&s, " of VM %d", vcpu->vm);
	if (vcpu->source < sizeof(sources) / sizeof(*sources) && sources[vcpu->source])
		add(&s, ": %s", sources[vcpu->source]);
	item(x, &s);
}

/* --- what is unknown --- */

static const char *remedy(enum csg_reason reason)
{
	static const char *const remedies[CSG_REASON_COUNT] = {
		[CSG_REASON_NO_CONTEXT] = "nothing: the next context settles what comes behind it",
		[CSG_REASON_NO_POLICY] = "say what the machine runs: --hypervisor",
		[CSG_REASON_EL0_OPEN] = "trace EL2 or the guests' EL1 as well (no :u), so that "
					"neighbours and exit vectors are seen",
		[CSG_REASON_EL1_OPEN] = "record CONTEXTIDR_EL1 and the host's switch records "
					"(--switch-events)",
		[CSG_REASON_NOT_TRACED] = "--hypervisor, if another kind than the one in force ran",
		[CSG_REASON_NO_CONTEXT_ID] = "record with cs_etm/contextid1,contextid2/ and "
					     "--switch-events",
		[CSG_REASON_NO_THREAD] =
			"record all processes (-a), so that COMM and FORK records name "
			"the thread",
		[CSG_REASON_NO_GUEST] = "a recording made in the guest at the same time (csguest "
					"collect there), given by --guest",
		[CSG_REASON_NO_SWITCH] = "a recording of the guest that covers this time, with "
					 "--switch-events",
		[CSG_REASON_SWITCH] =
			"CONTEXTIDR_EL1 in the trace (contextid1), or more timestamps: "
			"the switch is known to some microseconds only",
		[CSG_REASON_CONFLICT] =
			"find out which of the witnesses above is wrong: --hypervisor "
			"overrules the policy",
		[CSG_REASON_WINDOW] = "nothing: the evidence lies too far ahead",
	};

	return reason < CSG_REASON_COUNT ? remedies[reason] : NULL;
}

static void unknown(const struct csg_explain *x, const char *what, const char *why,
		    const char *settle)
{
	struct sentence s = {""};

	add(&s, "%s", what);
	if (why)
		add(&s, ": %s", why);
	if (settle)
		add(&s, ".  Would settle it: %s", settle);
	item(x, &s);
}

static void list_unknown(const struct csg_explain *x, const struct csg_owner *o)
{
	const char *why = o->reason ? csg_reason_text(o->reason) : NULL;

	if (x->evidence->at.lost) {
		unknown(x, "everything", csg_gap_name(x->evidence->at.entered.gap),
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
			"ID_INDEX of perf inject --guest-data, or QEMU's thread names");
	if (o->world == CSG_WORLD_GUEST && o->pid == CSG_PID_UNKNOWN)
		unknown(x, "the guest's process", why ? why : "only the guest knows which it runs",
			remedy(o->reason ? o->reason : CSG_REASON_NO_GUEST));
	if (o->world == CSG_WORLD_HOST && o->pid == CSG_PID_UNKNOWN)
		unknown(x, "the host's thread", why, remedy(o->reason));
	if (o->witness == CSG_WITNESS_POLICY_DEFAULT)
		unknown(x, "whether the world is right",
			"it rests on nothing but what the policy expects",
			"context IDs, EL2 in the trace");
	if (x->evidence->at.missing)
		unknown(x, "some of its instructions", "their code is missing",
			"the files that the summary names");
}

void csg_explain_print(const struct csg_explain *x)
{
	const struct csg_owner *o = owner_of(x, x->evidence->at.owner);
	char name[SENTENCE_MAX / 2];

	who(x, &x->evidence->at, name, sizeof(name));
	csg_form_string(x->form, "owner", "owner", name);
	where(x);
	segment(x);
	csg_form_open_list(x->form, "world", "why this world");
	if (!x->evidence->at.lost)
		list_witnesses(x, o->witness, say_world);
	csg_form_close_list(x->form);
	csg_form_open_list(x->form, "who", "why this VM, vCPU, process");
	if (!x->evidence->at.lost) {
		list_witnesses(x, o->witness, say_who);
		say_vcpu(x, o);
	}
	csg_form_close_list(x->form);
	csg_form_open_list(x->form, "unknown", "what is unknown");
	list_unknown(x, o);
	csg_form_close_list(x->form);
}

static bool near(uint64_t a, uint64_t b)
{
	return a > b ? a - b <= PACKETS_AROUND : b - a <= PACKETS_AROUND;
}

bool csg_explain_shows_packet(const struct csg_evidence *ev, uint64_t index)
{
	return near(index, ev->index) || near(index, ev->at.begin) || near(index, ev->at.end);
}
