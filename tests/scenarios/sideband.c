/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What perf writes beside the trace: who there was when it began, and what the kernel reported of
 * threads, mappings and its own text from then on.
 *
 * A guest's own recording is in its own time: its counter is CNTVOFF_EL2 after the host's, and its
 * perf has another epoch.  Its CPUs are the vCPUs.  perf inject --guest-data puts the same records
 * among the host's, in the host's time, with a cpumode of guests and with IDs of which ID_INDEX
 * says whose they are.
 */
#include <string.h>

#include "encoder/perf_writer.h"
#include "encoder/tracing_data.h"
#include "scenario.h"

#define GUEST_ZERO UINT64_C(7000000000)
#define RECORD_SAMPLE 9

static int32_t machine_of(const struct scn_thread *t)
{
	return t->kind == SCN_GUEST ? t->vm : 0;
}

static bool is_of(const struct scn_tape *tape, const struct scn_thread *t)
{
	return t->kind <= SCN_GUEST && !t->level && machine_of(t) == tape->vm;
}

static uint64_t time_of(const struct scn_tape *tape, const struct scn_thread *t, uint64_t counter)
{
	if (!tape->vm || tape->injected)
		return scn_time(counter);
	return counter - t->cntvoff + GUEST_ZERO;
}

/* The guest's own number of the CPU that it runs on. */
static unsigned cpu_of(const struct scn_thread *t)
{
	return (unsigned)(t->cpu >= 0 ? t->cpu : t->vcpu);
}

/* The sample ID of a record that thread t of the machine wrote. */
static struct csg_enc_perf_sample sample(const struct scn_tape *tape, const struct scn_thread *t,
					 unsigned cpu, uint64_t counter)
{
	uint64_t id = tape->id + cpu;

	if (tape->vm && !tape->injected)
		id = tape->id + (cpu = cpu_of(t));
	else if (tape->injected)
		id = tape->id + cpu_of(t);
	return (struct csg_enc_perf_sample){(uint32_t)t->pid, (uint32_t)t->tid, cpu,
					    time_of(tape, t, counter), id};
}

/* --- mappings --- */

static bool is_kernel(const struct scn_image *image)
{
	return image->path && image->path[0] == '[';
}

static void put_map(const struct scn_tape *tape, const struct scn_thread *t,
		    const struct scn_image *image, const struct csg_enc_perf_sample *at)
{
	bool kernel = is_kernel(image);
	uint16_t mode = tape->injected ? CSG_ENC_MISC_GUEST_KERNEL : CSG_ENC_MISC_KERNEL;
	struct csg_enc_perf_mmap map = {
		.pid = kernel ? UINT32_MAX : (uint32_t)t->pid,
		.tid = kernel ? 0 : (uint32_t)t->pid,
		.name = kernel ? "[kernel.kallsyms]_text" : image->path,
		.start = image->base,
		.size = (image->code.size + 0xfff) & ~UINT64_C(0xfff),
		.offset = kernel ? image->base : 0x1000,
		.major = 8,
		.minor = 2,
		.inode = 1000 + (uint64_t)(image - tape->scn->images),
	};

	if (kernel)
		csg_enc_perf_mmap(tape->perf, mode, &map, at);
	else
		csg_enc_perf_mmap2(tape->perf, mode + 1, &map, at);
}

/* What exec brings into the process. */
static void put_user_maps(const struct scn_tape *tape, const struct scn_thread *t,
			  const struct csg_enc_perf_sample *at)
{
	for (unsigned k = 0; k < t->image_count; k++)
		if (t->images[k]->path && !is_kernel(t->images[k]))
			put_map(tape, t, t->images[k], at);
}

/* --- what was there when perf began --- */

static bool is_late(const struct scn *s, const struct scn_thread *t, const struct scn_image *image)
{
	for (unsigned i = 0; i < s->record_count; i++) {
		const struct scn_record *r = &s->records[i];

		if (image ? r->kind == SCN_MAP && r->image == image && r->thread->pid == t->pid
			  : (r->kind == SCN_FORK || r->kind == SCN_EXEC) && r->other == t)
			return true;
	}
	return false;
}

/* The thread as perf finds it in /proc. */
static void put_thread(const struct scn_tape *tape, const struct scn_thread *t, bool *kernel)
{
	struct csg_enc_perf_sample none = {0};

	if (tape->injected)
		none.id = tape->id + cpu_of(t);
	if (!tape->scn->no_comms)
		csg_enc_perf_comm(tape->perf, (uint32_t)t->pid, (uint32_t)t->tid, t->comm, false,
				  &none);
	for (unsigned k = 0; k < t->image_count; k++) {
		const struct scn_image *image = t->images[k];

		if (!image->path || is_late(tape->scn, t, image) || (is_kernel(image) && *kernel) ||
		    (!is_kernel(image) && t->tid != t->pid && image->el))
			continue;
		*kernel |= is_kernel(image);
		put_map(tape, t, image, &none);
	}
}

static void put_start(const struct scn_tape *tape)
{
	const struct scn *s = tape->scn;
	bool kernel = false;

	for (unsigned i = 0; i < s->thread_count; i++)
		if (is_of(tape, &s->threads[i]) && !s->threads[i].unnamed &&
		    !is_late(s, &s->threads[i], NULL))
			put_thread(tape, &s->threads[i], &kernel);
}

/* --- what happened --- */

/*
 * A thread that has ended, and that nobody waits for, has no number any more when it is switched
 * out; its process has one as long as other threads live.
 */
static bool is_dead(const struct scn_tape *tape, const struct scn_record *at)
{
	bool dead = false;

	for (const struct scn_record *r = tape->scn->records; r < at; r++)
		dead |= r->kind == SCN_EXIT && r->thread == at->thread;
	return dead && at->thread->tid != at->thread->pid;
}

static void put_switch(const struct scn_tape *tape, const struct scn_record *r)
{
	struct csg_enc_perf_sample out = sample(tape, r->thread, r->cpu, r->time - 2);
	struct csg_enc_perf_sample in = sample(tape, r->other, r->cpu, r->time + 2);

	if (tape->scn->no_switches)
		return;
	if (is_dead(tape, r))
		out.tid = UINT32_MAX;
	if (r->preempted)
		csg_enc_perf_preempt(tape->perf, in.pid, in.tid, &out);
	else
		csg_enc_perf_switch(tape->perf, true, in.pid, in.tid, &out);
	csg_enc_perf_switch(tape->perf, false, out.pid, out.tid, &in);
}

/* PERF_RECORD_SAMPLE of a tracepoint: IDENTIFIER, IP, TID, TIME, CPU, and RAW. */
static void put_kvm(const struct scn_tape *tape, const struct scn_record *r, unsigned event)
{
	struct csg_enc_perf_sample at = sample(tape, r->thread, r->cpu, r->time);
	struct csg_enc_bytes body = {0};

	csg_enc_bytes_u64(&body, tape->kvm_ids[event] + r->cpu);
	csg_enc_bytes_u64(&body, r->address);
	csg_enc_bytes_u32(&body, at.pid);
	csg_enc_bytes_u32(&body, at.tid);
	csg_enc_bytes_u64(&body, at.time);
	csg_enc_bytes_u32(&body, at.cpu);
	csg_enc_bytes_u32(&body, 0);
	if (r->raw && event)
		csg_enc_kvm_exit(&body, at.tid, r->words[0], r->words[1], r->address);
	else if (r->raw)
		csg_enc_kvm_entry(&body, at.tid, r->address);
	csg_enc_perf_record(tape->perf, RECORD_SAMPLE, CSG_ENC_MISC_GUEST_KERNEL, &body, NULL);
	csg_enc_bytes_fini(&body);
}

/* Both of one wake-up: the thread is chosen a CPU in between. */
static void put_wake(const struct scn_tape *tape, const struct scn_record *r)
{
	static const uint16_t types[] = {CSG_ENC_SCHED_WAKING, CSG_ENC_SCHED_WAKEUP};
	struct csg_enc_perf_sample at = sample(tape, r->thread, r->cpu, r->time);

	if (is_dead(tape, r))
		at.tid = UINT32_MAX;
	for (unsigned i = 0; i < 2; i++) {
		struct csg_enc_bytes body = {0};

		csg_enc_bytes_u64(&body, tape->wake_ids[i] + r->cpu);
		csg_enc_bytes_u64(&body, 0);
		csg_enc_bytes_u32(&body, at.pid);
		csg_enc_bytes_u32(&body, at.tid);
		csg_enc_bytes_u64(&body, at.time + i);
		csg_enc_bytes_u32(&body, at.cpu);
		csg_enc_bytes_u32(&body, 0);
		csg_enc_wake(&body, types[i], at.tid, (uint32_t)r->other->tid, r->words[0]);
		csg_enc_perf_record(tape->perf, RECORD_SAMPLE, 1, &body, NULL);
		csg_enc_bytes_fini(&body);
	}
}

/* How many records of its CPU were lost before this one. */
static uint64_t lost_before(const struct scn_tape *tape, const struct scn_record *r)
{
	const struct scn_record *before = r;
	uint64_t n = 0;

	while (before-- > tape->scn->records)
		if (before->cpu == r->cpu && before->kind == SCN_LOST)
			break;
		else if (before->cpu == r->cpu && before->lost)
			n += before->kind == SCN_SWITCH ? 2 : 1;
	return n;
}

static void put_record(const struct scn_tape *tape, const struct scn_record *r)
{
	const struct scn_thread *t = r->thread, *other = r->other;
	struct csg_enc_perf_sample at = sample(tape, t, r->cpu, r->time);
	uint32_t pid = (uint32_t)t->pid, tid = (uint32_t)t->tid;

	switch (r->kind) {
	case SCN_SWITCH:
		put_switch(tape, r);
		break;
	case SCN_FORK:
		csg_enc_perf_task(tape->perf, false, (uint32_t)other->pid, (uint32_t)other->tid,
				  pid, tid, &at);
		break;
	case SCN_EXIT:
		csg_enc_perf_task(tape->perf, true, pid, tid, pid, pid, &at);
		break;
	case SCN_EXEC:
		csg_enc_perf_comm(tape->perf, pid, tid, other->comm, true, &at);
		put_user_maps(tape, other, &at);
		break;
	case SCN_MAP:
		put_map(tape, t, r->image, &at);
		break;
	case SCN_POKE:
		csg_enc_perf_text_poke(tape->perf, r->address, &r->words[0], 4, &r->words[1], 4,
				       &at);
		break;
	case SCN_KVM_ENTRY:
	case SCN_KVM_EXIT:
		put_kvm(tape, r, r->kind == SCN_KVM_EXIT);
		break;
	case SCN_WAKE:
		put_wake(tape, r);
		break;
	case SCN_LOST:
		csg_enc_perf_lost(tape->perf, lost_before(tape, r), &at);
		break;
	}
}

void scn_sideband(const struct scn_tape *tape)
{
	tape->perf->of_guest = tape->injected;
	put_start(tape);
	if (!tape->vm)
		csg_enc_perf_finished_init(tape->perf);
	for (unsigned i = 0; i < tape->scn->record_count; i++)
		if (is_of(tape, tape->scn->records[i].thread) && !tape->scn->records[i].lost)
			put_record(tape, &tape->scn->records[i]);
	tape->perf->of_guest = false;
}

/* --- guests --- */

static uint32_t vcpu_count(const struct scn *s, const struct scn_guest *guest)
{
	uint32_t n = 1;

	for (unsigned i = 0; i < s->thread_count; i++)
		if (s->threads[i].vm == guest->vm && s->threads[i].vcpu >= (int32_t)n)
			n = (uint32_t)s->threads[i].vcpu + 1;
	return n;
}

uint64_t scn_sideband_ids(const struct scn *s, const struct scn_guest *guest,
			  struct csg_enc_perf *p)
{
	uint32_t cpus = p->options.cpus, n = p->options.cpus = vcpu_count(s, guest);
	uint64_t first = csg_enc_perf_add_dummy(p, SCN_SIDEBAND_FLAGS, CSG_ENC_PERF_ANY);
	struct csg_enc_perf_id *ids = &p->ids[p->id_count - n];

	p->options.cpus = cpus;
	for (uint32_t i = 0; i < n; i++) {
		ids[i].machine_pid = (uint32_t)guest->vm;
		ids[i].vcpu = i;
	}
	for (unsigned i = 0; i < s->thread_count; i++)
		if (s->threads[i].kind == SCN_GUEST && s->threads[i].vm == guest->vm &&
		    s->threads[i].on)
			ids[s->threads[i].vcpu].tid = (uint32_t)s->threads[i].on->tid;
	return first;
}

void scn_sideband_of_guest(const struct scn *s, const struct scn_guest *guest, const char *path)
{
	struct csg_enc_bytes file = {0};
	struct csg_enc_perf p;
	struct scn_tape tape = {.scn = s, .perf = &p, .vm = guest->vm};

	csg_enc_perf_init(&p);
	p.options.cpus = vcpu_count(s, guest);
	p.options.hostname = guest->name;
	p.options.release = "6.12.0";
	p.options.cmdline = "perf record -a -e dummy:u --switch-events";
	tape.id = csg_enc_perf_add_dummy(&p, SCN_SIDEBAND_FLAGS | CSG_ENC_ATTR_CONTEXT_SWITCH,
					 CSG_ENC_PERF_ANY);
	csg_enc_perf_time_conv(&p, SCN_TIME_SHIFT, UINT64_C(1) << SCN_TIME_SHIFT, GUEST_ZERO);
	csg_enc_perf_id_index(&p);
	scn_sideband(&tape);
	csg_enc_perf_finished_round(&p);
	csg_enc_perf_finish(&p, &file);
	if (csg_enc_bytes_save(&file, path) < 0)
		scn_die(NULL, "%s: cannot be written", path);
	csg_enc_bytes_fini(&file);
	csg_enc_perf_fini(&p);
}
