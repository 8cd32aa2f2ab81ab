/* SPDX-License-Identifier: BSD-3-Clause */
#include "script/sample_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "csguest/context.h"
#include "csguest/element.h"
#include "text/columns.h"
#include "text/escape.h"
#include "script/call_indent.h"
#include "script/sample_address.h"
#include "script/sample_code.h"
#include "script/sample_flags.h"

#define NS_PER_S 1000000000u
#define NS_PER_US 1000u

static const char *const el_names[] = {"EL0", "EL1", "EL2", "EL3", "EL?"};

static bool has(const struct csg_sample_text *text, enum csg_field field)
{
	return csg_fields_have(&text->fields, field);
}

const struct csg_owner *const csg_sample_nobody = &CSG_OWNER_UNKNOWN;

uint32_t csg_sample_teller(const struct csg_sample *sample)
{
	if (sample->event == CSG_SAMPLE_ERROR)
		return sample->thread;
	return sample->owner != CSG_SAMPLE_NOBODY ? sample->owner : sample->target;
}

static const struct csg_owner *owner_of(const struct csg_sample_text *text, uint32_t owner)
{
	if (owner == CSG_SAMPLE_NOBODY)
		return csg_sample_nobody;
	return text->names.owner(text->names.arg, owner);
}

/* "VM:  123 VCPU:001 ", for guests only; a question mark where it is open which. */
static void put_machine(const struct csg_sample_text *text, const struct csg_owner *owner)
{
	struct csg_out *out = text->out;

	if (owner->world != CSG_WORLD_GUEST)
		return;
	if (has(text, CSG_FIELD_MACHINE_PID)) {
		csg_out_str(out, "VM:");
		if (owner->vm == CSG_VM_UNKNOWN)
			csg_column_right(out, "?", 5);
		else
			csg_column_i64(out, csg_vm_pid(owner->vm), 5);
		csg_out_char(out, ' ');
	}
	if (has(text, CSG_FIELD_VCPU)) {
		csg_out_str(out, "VCPU:");
		if (owner->vcpu == CSG_VCPU_UNKNOWN)
			csg_column_right(out, "?", 3);
		else
			csg_column_zeros(out, (uint64_t)owner->vcpu, 3);
		csg_out_char(out, ' ');
	}
}

static bool shows_who(const struct csg_sample_text *text)
{
	return has(text, CSG_FIELD_COMM) || has(text, CSG_FIELD_PID) || has(text, CSG_FIELD_TID);
}

/* Whether the thread had another name than comm at a time that the sample may have. */
static bool had_other_name(const struct csg_sample_text *text, const struct csg_sample *sample,
			   const char *comm)
{
	const struct csg_sample_names *names = &text->names;
	uint64_t time = sample->since;
	struct csg_sample_who who;

	while (time < sample->when) {
		names->who(names->arg, sample->thread, time, &who);
		if (!who.comm || strcmp(who.comm, comm))
			return true;
		time = names->named_until(names->arg, sample->thread, time);
	}
	return false;
}

/* Of a thread that was renamed where the time is not known the name is not either. */
static void ask_who(const struct csg_sample_text *text, const struct csg_sample *sample,
		    struct csg_sample_who *who)
{
	text->names.who(text->names.arg, sample->thread, sample->when, who);
	if (who->comm && text->names.named_until && had_other_name(text, sample, who->comm))
		who->comm = NULL;
}

/* Of a sample whose owner is not known: whom its record names. */
static void take_recorded(const struct csg_sample_text *text, const struct csg_sample *sample,
			  struct csg_sample_who *who)
{
	const struct csg_traced_sample *record =
		sample->event == CSG_SAMPLE_EVENT && text->rec
			? csg_recording_sample(text->rec, sample->record)
			: NULL;

	if (!record || owner_of(text, sample->owner)->world != CSG_WORLD_UNKNOWN)
		return;
	who->pid = record->pid;
	who->tid = record->tid;
}

static struct csg_sample_who find_who(const struct csg_sample_text *text,
				      const struct csg_sample *sample)
{
	struct csg_sample_who who = {NULL, -1, -1};

	if (shows_who(text))
		ask_who(text, sample, &who);
	take_recorded(text, sample, &who);
	return who;
}

static int64_t number_of(const struct csg_sample_text *text, int32_t id)
{
	return text->chains ? (int64_t)(uint32_t)id : id;
}

static void put_who(const struct csg_sample_text *text, struct csg_sample_who who)
{
	struct csg_out *out = text->out;

	if (has(text, CSG_FIELD_COMM)) {
		const size_t width = text->chains ? 0 : 16;

		if (who.comm)
			csg_column_right(out, who.comm, width);
		else
			csg_column_marked(out, ':', who.tid, width);
		csg_out_char(out, ' ');
	}
	if (has(text, CSG_FIELD_PID) && has(text, CSG_FIELD_TID)) {
		csg_column_i64(out, number_of(text, who.pid), 7);
		csg_out_char(out, '/');
		csg_column_i64_left(out, number_of(text, who.tid), 7);
		csg_out_char(out, ' ');
	} else if (has(text, CSG_FIELD_PID) || has(text, CSG_FIELD_TID)) {
		csg_column_i64(out, number_of(text, has(text, CSG_FIELD_PID) ? who.pid : who.tid),
			       7);
		csg_out_char(out, ' ');
	}
}

static void put_cpu(struct csg_out *out, int32_t cpu)
{
	csg_out_char(out, '[');
	if (cpu < 0) {
		csg_out_char(out, '-');
		csg_column_zeros(out, -(int64_t)cpu, 2);
	} else {
		csg_column_zeros(out, (uint64_t)cpu, 3);
	}
	csg_out_str(out, "] ");
}

/* "from>to", or only one of them where they are the same or the other is missing (NULL). */
static void put_border(struct csg_out *out, const char *from, const char *to, size_t width)
{
	char both[64];

	if (from && to && strcmp(from, to)) {
		snprintf(both, sizeof(both), "%s>%s", from, to);
		from = both;
	}
	csg_column_left(out, from ? from : to ? to : "unknown", width);
	csg_out_char(out, ' ');
}

static const char *world_of(const struct csg_sample_text *text, uint32_t owner)
{
	if (owner == CSG_SAMPLE_NOBODY)
		return NULL;
	return csg_world_name(owner_of(text, owner)->world);
}

static const char *el_of(uint32_t owner, uint8_t el)
{
	if (owner == CSG_SAMPLE_NOBODY)
		return NULL;
	return el_names[el < CSG_EL_UNKNOWN ? el : CSG_EL_UNKNOWN];
}

static void put_number(struct csg_out *out, int32_t number)
{
	char text[16];

	snprintf(text, sizeof(text), "%" PRId32, number);
	csg_out_str(out, number < 0 ? "?" : text);
}

/* "L1", or "L2:201/203", the VM and the thread; a question mark for what is not known. */
static void put_level(struct csg_out *out, const struct csg_owner *owner)
{
	csg_out_char(out, 'L');
	put_number(out, owner->level == CSG_LEVEL_UNKNOWN ? -1 : owner->level);
	if (owner->level == CSG_LEVEL_NESTED) {
		csg_out_char(out, ':');
		put_number(out, owner->nested);
		csg_out_char(out, '/');
		put_number(out, owner->guest_tid);
	}
	csg_out_char(out, ' ');
}

static void put_own_fields(const struct csg_sample_text *text, const struct csg_sample *sample)
{
	const struct csg_owner *owner = owner_of(text, csg_sample_teller(sample));
	struct csg_out *out = text->out;
	char evidence[256];

	if (has(text, CSG_FIELD_WORLD))
		put_border(out, world_of(text, sample->owner), world_of(text, sample->target), 10);
	if (has(text, CSG_FIELD_EL))
		put_border(out, el_of(sample->owner, sample->el),
			   el_of(sample->target, sample->target_el), 3);
	if (has(text, CSG_FIELD_EVIDENCE)) {
		csg_evidence_text(owner->evidence, evidence, sizeof(evidence));
		csg_out_char(out, '{');
		csg_out_str(out, evidence);
		csg_out_str(out, "} ");
	}
	if (has(text, CSG_FIELD_HOSTTID)) {
		csg_out_str(out, "host:");
		csg_column_i64_left(out, owner->host_tid, 7);
		csg_out_char(out, ' ');
	}
	if (has(text, CSG_FIELD_LEVEL))
		put_level(out, owner);
}

/* All before the time. */
static void put_front(const struct csg_sample_text *text, const struct csg_sample *sample,
		      struct csg_sample_who who)
{
	put_machine(text, owner_of(text, csg_sample_teller(sample)));
	if (shows_who(text))
		put_who(text, who);
	if (has(text, CSG_FIELD_CPU))
		put_cpu(text->out, sample->cpu);
	put_own_fields(text, sample);
}

/* Owners never change; whose name a thread has may. */
static void put_known_front(const struct csg_sample_text *text, const struct csg_sample *sample)
{
	uint64_t a = (uint64_t)sample->owner << 32 | sample->target;
	uint64_t b = (uint64_t)sample->thread << 32 | sample->el << 8 | sample->target_el;
	uint32_t more = (uint32_t)sample->cpu;
	struct csg_part_front *front =
		&text->cache->fronts[csg_part_index(CSG_PART_FRONTS, a, b + more)];
	bool known = csg_part_is(&front->part, a, b, more);
	struct csg_part_begin begin;
	struct csg_sample_who who;

	if (known && csg_part_holds(&front->part, sample->when)) {
		csg_part_put(&front->part, text->out);
		return;
	}
	who = find_who(text, sample);
	if (known && who.comm == front->comm && who.pid == front->pid && who.tid == front->tid) {
		csg_part_put(&front->part, text->out);
	} else {
		begin = csg_part_begin(text->out);
		put_front(text, sample, who);
		csg_part_keep(&front->part, text->out, begin, a, b, more);
		front->comm = who.comm;
		front->pid = who.pid;
		front->tid = who.tid;
	}
	front->part.from = front->part.last = sample->when;
}

static void put_time(const struct csg_sample_text *text, uint64_t time)
{
	struct csg_out *out = text->out;
	uint64_t seconds = time / NS_PER_S, ns = time % NS_PER_S;

	csg_column_u64(out, seconds, 5); /* perf's "%12s" of microseconds is the same width */
	csg_out_char(out, '.');
	if (text->nanoseconds)
		csg_column_zeros(out, ns, 9);
	else
		csg_column_zeros(out, ns / NS_PER_US, 6);
	csg_out_str(out, ": ");
}

static void put_known_time(const struct csg_sample_text *text, uint64_t time)
{
	struct csg_part *part = &text->cache->time;
	struct csg_part_begin begin;

	if (csg_part_is(part, time, 0, 0)) {
		csg_part_put(part, text->out);
		return;
	}
	begin = csg_part_begin(text->out);
	put_time(text, time);
	csg_part_keep(part, text->out, begin, time, 0, 0);
}

static const char *event_of(const struct csg_sample_text *text, const struct csg_sample *sample)
{
	const struct csg_traced_sample *record;
	const char *name;

	switch (sample->event) {
	case CSG_SAMPLE_BRANCH:
		return text->branches;
	case CSG_SAMPLE_INSTRUCTION:
		return text->instructions;
	case CSG_SAMPLE_EVENT:
		record = text->rec ? csg_recording_sample(text->rec, sample->record) : NULL;
		name = record ? csg_recording_event_name(text->rec, record->event) : NULL;
		return name ? name : "sample";
	default:
		return CSG_EVENT_INSTRUMENTATION;
	}
}

/* Period, event and flags. */
static void put_kind(const struct csg_sample_text *text, const struct csg_sample *sample)
{
	const char *event = event_of(text, sample);
	char flags[CSG_FLAGS_TEXT_MAX];
	struct csg_out *out = text->out;

	if (has(text, CSG_FIELD_PERIOD)) {
		csg_column_u64(out, sample->period, 10);
		csg_out_char(out, ' ');
	}
	if (has(text, CSG_FIELD_EVENT)) {
		csg_column_right(out, event, text->event_width);
		csg_out_str(out, ": ");
	}
	if (has(text, CSG_FIELD_FLAGS)) {
		csg_flags_text(sample->flags, flags);
		csg_out_str(out, "  ");
		csg_column_left(out, flags, 21);
		csg_out_char(out, ' ');
	}
}

static void put_known_kind(const struct csg_sample_text *text, const struct csg_sample *sample)
{
	uint64_t a = (uint64_t)sample->event << 32 | sample->flags;
	struct csg_part *part =
		&text->cache->kinds[csg_part_index(CSG_PART_KINDS, a, sample->period)];
	struct csg_part_begin begin;

	if (csg_part_is(part, a, sample->period, 0)) {
		csg_part_put(part, text->out);
		return;
	}
	begin = csg_part_begin(text->out);
	put_kind(text, sample);
	csg_part_keep(part, text->out, begin, a, sample->period, 0);
}

static void put_line(const struct csg_sample_text *text, const struct csg_sample *sample)
{
	char line[1024];

	if (!has(text, CSG_FIELD_SRCLINE) || sample->owner == CSG_SAMPLE_NOBODY ||
	    !text->names.line(text->names.arg, sample->owner, sample->ip, sample->when, line,
			      sizeof(line)))
		return;
	csg_out_str(text->out, "\n  ");
	csg_out_text(text->out, line);
}

static void put_branches(const struct csg_sample_text *text, const struct csg_sample *sample,
			 const struct csg_sample_branch *branches)
{
	bool by_address = has(text, CSG_FIELD_BRSTACK);

	if (!by_address && !has(text, CSG_FIELD_BRSTACKSYM))
		return;
	for (uint32_t i = 0; i < sample->branch_count; i++) {
		const struct csg_sample_branch *b = &branches[i];

		if (by_address)
			csg_out_char(text->out, ' ');
		csg_sample_put_branch_end(text, b->from_owner, b->from, sample->when);
		csg_out_char(text->out, '/');
		csg_sample_put_branch_end(text, b->to_owner, b->to, sample->when);
		csg_out_str(text->out, "/P/-/-/0//- ");
	}
}

/* What perf prints of an event that is a branch: where from and where to. */
static void put_branch(const struct csg_sample_text *text, const struct csg_sample *sample)
{
	if (has(text, CSG_FIELD_CALLINDENT))
		csg_call_indent_put(text, sample);
	if (has(text, CSG_FIELD_IP)) {
		csg_out_char(text->out, ' ');
		csg_sample_put_address(text, sample->owner, sample->ip, sample->when);
	}
	if (has(text, CSG_FIELD_ADDR) || !text->fields.chosen) {
		csg_out_part(text->out, " => ", 4);
		csg_sample_put_address(text, sample->target, sample->addr, sample->when);
	}
	if (has(text, CSG_FIELD_IP))
		put_line(text, sample);
	csg_sample_put_code(text, sample);
}

/* As perf prints those of ptwrites. */
static void put_payload(const struct csg_sample_text *text, const struct csg_sample *sample)
{
	csg_out_str(text->out, " payload: 0x");
	csg_out_hex(text->out, sample->addr, 1);
}

static void put_instruction_event(const struct csg_sample_text *text,
				  const struct csg_sample *sample,
				  const struct csg_sample_branch *branches)
{
	if (has(text, CSG_FIELD_ADDR))
		csg_column_hex(text->out, 0, 16);
	if (has(text, CSG_FIELD_IP)) {
		csg_out_char(text->out, ' ');
		csg_sample_put_address(text, sample->owner, sample->ip, sample->when);
		put_line(text, sample);
	}
	put_branches(text, sample, branches);
	csg_sample_put_code(text, sample);
}

/* perf_event__fprintf_auxtrace_error() */
static void put_error(const struct csg_sample_text *text, const struct csg_sample *sample)
{
	const struct csg_owner *owner = owner_of(text, sample->thread);
	struct csg_sample_who who = {NULL, -1, -1};
	struct csg_out *out = text->out;

	ask_who(text, sample, &who);
	csg_out_str(out, " instruction trace error type 1 time ");
	csg_out_u64(out, sample->time / NS_PER_S);
	if (sample->time) {
		csg_out_char(out, '.');
		csg_column_zeros(out, sample->time % NS_PER_S, 9);
	}
	if (owner->world == CSG_WORLD_GUEST)
		csg_out_printf(out, " machine_pid %d vcpu %d", csg_vm_pid(owner->vm), owner->vcpu);
	csg_out_printf(out, " cpu %d pid %d tid %d ip ", sample->cpu, who.pid, who.tid);
	if (sample->ip)
		csg_out_str(out, "0x");
	csg_out_address(out, sample->ip, 1);
	csg_out_printf(out, " code %u: %s\n", sample->gap, csg_gap_name(sample->gap));
}

void csg_sample_print(const struct csg_sample_text *text, const struct csg_sample *sample,
		      const struct csg_sample_branch *branches)
{
	/* Of a record each line may have another name. */
	const bool cached = text->cache && sample->event != CSG_SAMPLE_EVENT;

	if (sample->event == CSG_SAMPLE_ERROR) {
		put_error(text, sample);
		return;
	}
	if (cached) {
		csg_sample_fetch_address(text->cache, sample->owner, sample->ip);
		csg_sample_fetch_address(text->cache, sample->target, sample->addr);
	}
	if (cached)
		put_known_front(text, sample);
	else
		put_front(text, sample, find_who(text, sample));
	if (has(text, CSG_FIELD_TIME) && !text->timeless) {
		if (cached)
			put_known_time(text, sample->time);
		else
			put_time(text, sample->time);
	}
	if (cached)
		put_known_kind(text, sample);
	else
		put_kind(text, sample);
	if (sample->event == CSG_SAMPLE_INSTRUMENTATION)
		put_payload(text, sample);
	else if (sample->event == CSG_SAMPLE_BRANCH)
		put_branch(text, sample);
	else
		put_instruction_event(text, sample, branches);
	csg_out_char(text->out, '\n');
}
