/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/facts/host_clock.h"

#include "base/thread_lives.h"

/* An AUX record is written after the last timestamp; its clock and the trace's are rounded. */
#define SLACK_NS UINT64_C(1000)
/* A time that is known less exactly says where in a recording, but not when. */
#define EXACT_NS UINT64_C(1000000)

/* One that is known less exactly is no date: what ran may have been in another window of trace. */
#define DATE_NS UINT64_C(10000)

/* --- which VM can have been there --- */

struct visitors {
	const struct csg_vcpus *vcpus;
	int32_t vm; /* of the vCPUs so far; 0: there can have been none */
};

static bool visit(void *arg, const struct csg_on_cpu *interval)
{
	struct visitors *v = arg;
	int32_t vm = csg_vcpus_vm_of(v->vcpus, interval->pid, interval->tid);

	if (vm == CSG_VM_HOST || vm == v->vm)
		return true;
	if (v->vm || vm == CSG_VM_UNKNOWN)
		return false;
	v->vm = vm;
	return true;
}

int32_t csg_resident_vm(const struct csg_host_clocks *shared, int32_t cpu, uint64_t from,
			uint64_t until)
{
	struct visitors visitors = {.vcpus = shared->vcpus};

	/* Who runs vCPUs must be known before somebody can be said not to. */
	if (!shared->vcpus->count ||
	    !csg_residency_among(shared->residency, cpu, from, until, visit, &visitors))
		return CSG_STAMP_ANY_VM;
	return visitors.vm;
}

static int32_t whose(void *arg, uint64_t from, uint64_t until)
{
	const struct csg_host_clock *clock = arg;
	const struct csg_time_conv *conv = &clock->shared->conv;

	if (!from || until >= UINT64_MAX - 1)
		return CSG_STAMP_ANY_VM;
	/* Records are written and timestamps sent within a tick of each other. */
	return csg_resident_vm(clock->shared, clock->cpu, csg_time_conv_to_ns(conv, from - 1),
			       csg_time_conv_to_ns(conv, until + 1));
}

/* --- the stream --- */

void csg_host_clock_init(struct csg_host_clock *clock, struct csg_host_clocks *shared, int32_t cpu,
			 bool is_virtual)
{
	*clock = (struct csg_host_clock){
		.shared = shared, .cpu = cpu, .known = is_virtual && shared->conv.valid};
	csg_stamps_init(&clock->stamps, &shared->offsets, whose, clock);
}

void csg_host_clock_fini(struct csg_host_clock *clock)
{
	csg_stamps_fini(&clock->stamps);
}

void csg_host_clock_chunk(struct csg_host_clock *clock, uint64_t begin_time, uint64_t end_time,
			  bool continues)
{
	const struct csg_time_conv *conv = &clock->shared->conv;
	uint64_t ceiling =
		end_time ? csg_time_conv_to_counter(conv, end_time + SLACK_NS) : UINT64_MAX;

	clock->begin = begin_time;
	clock->end = end_time;
	if (!clock->known)
		return;
	if (continues) {
		csg_stamps_continue(&clock->stamps, ceiling);
		return;
	}
	csg_stamps_begin(&clock->stamps,
			 begin_time ? csg_time_conv_to_counter(conv, begin_time) : 0, ceiling);
}

static bool is_proven(const struct csg_owner *owner)
{
	return !(owner->evidence & CSG_EVIDENCE_POLICY_DEFAULT);
}

/* Whose process it is asked for, and in which time. */
struct asked {
	const struct csg_host_clocks *shared;
	const struct csg_owner *owner;
	uint64_t from, until; /* until 0: the latest */
};

static uint64_t until_of(const struct asked *a)
{
	return a->until ? a->until : UINT64_MAX;
}

/* The process of the owner's host thread, as far as anybody knows. */
static int32_t process_of(const struct asked *a)
{
	const struct csg_host_clocks *shared = a->shared;
	const struct csg_owner *owner = a->owner;

	if ((owner->world != CSG_WORLD_HOST || owner->pid == CSG_PID_UNKNOWN) && shared->process_of)
		return shared->process_of(shared->arg, owner->host_tid, a->from, until_of(a));
	return owner->host_process > 0 ? owner->host_process : owner->pid;
}

/* The VM of which the owner's thread may run a vCPU, CSG_VM_HOST: none; as in csg_vcpus_vm_of(). */
static int32_t vm_of(const struct asked *a)
{
	const struct csg_vcpus *vcpus = a->shared->vcpus;
	int32_t process;

	if (a->owner->host_tid == CSG_PID_UNKNOWN)
		return CSG_VM_UNKNOWN;
	/* Where nobody knows a vCPU, each thread would be one. */
	if (!vcpus->count)
		return CSG_VM_HOST;
	process = process_of(a);
	if (process == CSG_PID_SEVERAL && a->shared->runs_none &&
	    a->shared->runs_none(a->shared->arg, a->owner->host_tid, a->from, until_of(a)))
		return CSG_VM_HOST;
	return csg_vcpus_vm_of(vcpus, process, a->owner->host_tid);
}

/* Whether the thread runs no vCPU: the idle thread, and what a VMM has beside the threads of its
 * vCPUs. */
static bool runs_none(const struct asked *a)
{
	return !a->owner->host_tid ||
	       (vm_of(a) == CSG_VM_HOST && csg_vcpus_is_vmm(a->shared->vcpus, process_of(a)));
}

bool csg_is_physical_time(const struct csg_host_clocks *shared, const struct csg_owner *owner)
{
	const struct asked a = {.shared = shared, .owner = owner};

	if (owner->world != CSG_WORLD_HOST)
		return false;
	if (!shared->guests)
		return true;
	if (owner->privilege == CSG_USER)
		return is_proven(owner);
	return owner->host_tid != CSG_PID_UNKNOWN && runs_none(&a);
}

static uint8_t may_be(const struct asked *a, int32_t *vm)
{
	const struct csg_owner *owner = a->owner;
	int32_t its = vm_of(a);

	*vm = owner->vm > 0 ? owner->vm : its > 0 ? its : CSG_STAMP_ANY_VM;
	if (owner->world == CSG_WORLD_GUEST)
		return CSG_STAMP_LOADED;
	if (!a->shared->guests)
		return CSG_STAMP_PHYSICAL;
	if (owner->world != CSG_WORLD_HOST)
		return CSG_STAMP_EITHER;
	if (its == CSG_VM_HOST)
		return CSG_STAMP_PHYSICAL;
	return owner->privilege == CSG_USER && is_proven(owner) ? CSG_STAMP_PHYSICAL
								: CSG_STAMP_EITHER;
}

void csg_host_clock_stamp(struct csg_host_clock *clock, uint64_t index, uint64_t raw,
			  const struct csg_owner *owner, bool traced)
{
	int32_t vm = CSG_STAMP_ANY_VM;
	uint8_t may;

	if (!clock->known)
		return;
	may = owner ? may_be(&(struct asked){clock->shared, owner, clock->begin, clock->end}, &vm)
		    : 0;
	csg_stamps_add(&clock->stamps, index, raw, traced);
	csg_stamps_tell(&clock->stamps, index + 1, may, vm);
}

void csg_host_clock_settle(struct csg_host_clock *clock)
{
	csg_stamps_settle(&clock->stamps);
}

bool csg_host_clock_bounds(struct csg_host_clock *clock, uint64_t index, uint64_t *low,
			   uint64_t *high)
{
	const struct csg_time_conv *conv = &clock->shared->conv;
	struct csg_stamp stamp;

	*low = *high = 0;
	if (!clock->known || !index || !csg_stamps_find(&clock->stamps, index, &stamp))
		return false;
	if (stamp.low)
		*low = csg_time_conv_to_ns(conv, stamp.low);
	if (stamp.high != UINT64_MAX)
		*high = csg_time_conv_to_ns(conv, stamp.high);
	return *low && *high && *low <= *high && *high - *low <= EXACT_NS;
}

bool csg_host_clock_between(struct csg_host_clock *clock, uint64_t from, uint64_t until,
			    uint64_t *ticks)
{
	uint64_t low, high;
	struct csg_stamp first, last;

	if (!csg_host_clock_bounds(clock, until, &low, &high) ||
	    !csg_stamps_find(&clock->stamps, from, &first) ||
	    !csg_stamps_find(&clock->stamps, until, &last) || last.high < first.low)
		return false;
	*ticks = last.high - first.low;
	return true;
}

uint8_t csg_host_clock_reading(const struct csg_host_clock *clock, uint64_t from, uint64_t to,
			       struct csg_stamp *first, struct csg_stamp *last)
{
	const struct csg_stamps *stamps = &clock->stamps;

	if (!clock->known || !stamps->virtual || stamps->disputed || stamps->conflicts)
		return 0;
	return csg_stamps_reading(stamps, from, to, first, last);
}

bool csg_host_clock_is_settled(const struct csg_host_clock *clock, uint64_t index)
{
	return !clock->known || csg_stamps_settled_to(&clock->stamps) > index;
}

uint64_t csg_host_clock_time(struct csg_host_clock *clock, uint64_t index)
{
	uint64_t low, high;

	return csg_host_clock_bounds(clock, index, &low, &high) && high - low <= DATE_NS
		       ? low + (high - low) / 2
		       : 0;
}

void csg_host_clock_forget(struct csg_host_clock *clock, uint64_t index)
{
	csg_stamps_forget(&clock->stamps, index);
}
