/* SPDX-License-Identifier: BSD-3-Clause */
#include "inject/inject.h"

#include "csguest/error.h"
#include "util/bytes.h"
#include "inject/injecting.h"
#include "suite.h"
#include "recording/recording.h"

enum {
	NOBODY_KNOWN,
	KERNEL,
	USER,
	GUEST,
	GUEST_USER,
	HYP,
	LOST_GUEST,
	OTHER_VCPU,
	GUEST_5,
	GUEST_6,
	VMM,
	NESTED,
};

static const struct csg_owner owners[] = {
	[NOBODY_KNOWN] = {.vm = -1, .vcpu = -1, .pid = -1, .tid = -1, .host_tid = -1},
	[KERNEL] = {CSG_WORLD_HOST, CSG_KERNEL, 0, 2, 0, 0, -1, 10, 11, 11},
	[USER] = {CSG_WORLD_HOST, CSG_USER, 0, 0, 0, 0, -1, 10, 11, 11},
	[GUEST] = {CSG_WORLD_GUEST, CSG_KERNEL, 0, 1, 0, 42, 1, -1, -1, 11},
	[GUEST_USER] = {CSG_WORLD_GUEST, CSG_USER, 0, 0, 0, 42, 1, 200, 201, 11},
	[HYP] = {CSG_WORLD_HYPERVISOR, CSG_KERNEL, 0, 2, 0, 0, -1, -1, -1, -1},
	[LOST_GUEST] = {CSG_WORLD_GUEST, CSG_KERNEL, 0, 1, 0, -1, -1, -1, -1, -1},
	[GUEST_5] = {CSG_WORLD_GUEST, CSG_KERNEL, 0, 1, 0, 42, 1, 200, 201, 11},
	[GUEST_6] = {CSG_WORLD_GUEST, CSG_KERNEL, 0, 1, 0, 42, 1, 300, 301, 11},
	[VMM] = {CSG_WORLD_HOST, CSG_USER, 0, 0, 0, 0, -1, 42, 11, 11},
	[NESTED] = {CSG_WORLD_GUEST, CSG_KERNEL, 0, 1, 0, 42, 1, -1, -1, 11, .nested = 77,
		    .guest_tid = 78, .level = CSG_LEVEL_NESTED},
	[OTHER_VCPU] = {CSG_WORLD_GUEST, CSG_KERNEL, 0, 1, 0, 42, 0, -1, -1, 12},
};

static const struct csg_owner *owner_of(void *arg, uint32_t owner)
{
	(void)arg;
	return &owners[owner];
}

static void who_of(void *arg, uint32_t owner, uint64_t when, struct csg_sample_who *who)
{
	(void)arg, (void)when;
	*who = (struct csg_sample_who){NULL, -1, -1};
	if (owner == CSG_SAMPLE_NOBODY)
		return;
	who->pid = owners[owner].pid;
	who->tid = owners[owner].tid;
}

static bool same_machine(void *arg, uint32_t a, uint32_t b)
{
	(void)arg;
	return owners[a].world == owners[b].world && owners[a].vm == owners[b].vm;
}

static bool kernel_of(void *arg, uint32_t owner, struct csg_injected_kernel *kernel)
{
	(void)arg, (void)owner;
	*kernel = (struct csg_injected_kernel){0x10000, 0x1000, "_text", 0x10000};
	return true;
}

static const struct csg_sample_names names = {.owner = owner_of, .who = who_of};

struct view {
	struct injecting file;
	struct csg_inject inject;
	bool joined;
	size_t at; /* samples that read() gave */
};

static void begin_with(struct view *v, bool stacks, bool chains)
{
	memset(v, 0, sizeof(*v));
	v->file.setup = (struct csg_injection_setup){.path = v->file.out,
						     .branches = true,
						     .instructions = true,
						     .branches_name = "b",
						     .instructions_name = "i",
						     .stacks = stacks,
						     .chains = chains,
						     .in_order = true};
	injecting_begin(&v->file);
	v->inject = (struct csg_inject){.to = v->file.injection,
					.names = &names,
					.same_machine = same_machine,
					.kernel = kernel_of,
					.in_order = true,
					.stacks = stacks,
					.chains = chains,
					.last = 5000,
					.latest = 9000};
}

static void begin(struct view *v, bool stacks)
{
	begin_with(v, stacks, false);
}

static void end(struct view *v)
{
	csg_inject_fini(&v->inject);
	injecting_end(&v->file);
}

static void branch(struct view *v, uint64_t time, uint32_t from, uint32_t to)
{
	const struct csg_sample sample = {
		.time = time,
		.order = time,
		.event = CSG_SAMPLE_BRANCH,
		.ip = from == CSG_SAMPLE_NOBODY ? 0 : 0x1000 + from,
		.addr = to == CSG_SAMPLE_NOBODY ? 0 : 0x2000 + to,
		.owner = from,
		.target = to,
		.thread = from == CSG_SAMPLE_NOBODY ? to : from,
		.period = 1,
		.cpu = 1,
	};

	CU_ASSERT_EQUAL(csg_inject_sample(&v->inject, &sample, NULL, NULL), 0);
}

/* The next sample of the file: mode, ip, addr, pid, tid, time. */
static void reads(struct view *v, uint8_t mode, uint64_t ip, uint64_t addr, int32_t pid,
		  int32_t tid, uint64_t time)
{
	const uint8_t *r =
		injecting_record(v->file.made, CSG_PERF_RECORD_SAMPLE, (unsigned int)v->at++);

	CU_ASSERT_PTR_NOT_NULL_FATAL(r);
	CU_ASSERT_EQUAL(r[4], mode);
	CU_ASSERT_EQUAL(csg_le64(r + 16), ip);
	CU_ASSERT_EQUAL((int32_t)csg_le32(r + 24), pid);
	CU_ASSERT_EQUAL((int32_t)csg_le32(r + 28), tid);
	CU_ASSERT_EQUAL(csg_le64(r + 32), time);
	CU_ASSERT_EQUAL(csg_le64(r + 40), addr);
}

static void a_branch_within_a_machine_is_one_sample(void)
{
	struct view v;

	begin(&v, false);
	branch(&v, 5001, USER, KERNEL);
	branch(&v, 5002, GUEST, GUEST_USER);
	branch(&v, 5003, CSG_SAMPLE_NOBODY, GUEST_USER);
	branch(&v, 5004, HYP, CSG_SAMPLE_NOBODY);
	injecting_finish(&v.file);
	reads(&v, CSG_CPUMODE_USER, 0x1000 + USER, 0x2000 + KERNEL, 10, 11, 5001);
	reads(&v, CSG_CPUMODE_GUEST_KERNEL, 0x1000 + GUEST, 0x2000 + GUEST_USER, -1, -1, 5002);
	reads(&v, CSG_CPUMODE_GUEST_USER, 0, 0x2000 + GUEST_USER, 200, 201, 5003);
	reads(&v, CSG_CPUMODE_HYPERVISOR, 0x1000 + HYP, 0, -1, -1, 5004);
	CU_ASSERT_EQUAL(v.inject.counts.branches, 4);
	CU_ASSERT_EQUAL(v.inject.counts.split, 0);
	end(&v);
}

static void a_branch_into_another_machine_is_two(void)
{
	struct view v;

	begin(&v, false);
	branch(&v, 5001, KERNEL, GUEST_USER);
	branch(&v, 5002, GUEST, KERNEL);
	injecting_finish(&v.file);
	reads(&v, CSG_CPUMODE_KERNEL, 0x1000 + KERNEL, 0, 10, 11, 5001);
	reads(&v, CSG_CPUMODE_GUEST_USER, 0, 0x2000 + GUEST_USER, 200, 201, 5001);
	reads(&v, CSG_CPUMODE_GUEST_KERNEL, 0x1000 + GUEST, 0, -1, -1, 5002);
	reads(&v, CSG_CPUMODE_KERNEL, 0, 0x2000 + KERNEL, 10, 11, 5002);
	CU_ASSERT_EQUAL(v.inject.counts.split, 2);
	end(&v);
}

/* perf would look it up in the host, by its address. */
static void what_nobody_owns_is_given_to_nobody(void)
{
	struct view v;

	begin(&v, false);
	branch(&v, 5001, KERNEL, NOBODY_KNOWN);
	injecting_finish(&v.file);
	reads(&v, CSG_CPUMODE_KERNEL, 0x1000 + KERNEL, 0, 10, 11, 5001);
	reads(&v, CSG_CPUMODE_UNKNOWN, 0, 0x2000 + NOBODY_KNOWN, -1, -1, 5001);
	CU_ASSERT_EQUAL(v.inject.counts.unknown, 1);
	end(&v);
}

/* perf would look it up in the guest, which has other code there. */
static void a_guest_of_a_guest_has_no_address(void)
{
	struct view v;

	begin(&v, false);
	branch(&v, 5001, NESTED, KERNEL);
	branch(&v, 5002, KERNEL, NESTED);
	injecting_finish(&v.file);
	reads(&v, CSG_CPUMODE_GUEST_KERNEL, 0, 0, -1, -1, 5001);
	reads(&v, CSG_CPUMODE_KERNEL, 0, 0x2000 + KERNEL, 10, 11, 5001);
	reads(&v, CSG_CPUMODE_KERNEL, 0x1000 + KERNEL, 0, 10, 11, 5002);
	reads(&v, CSG_CPUMODE_GUEST_KERNEL, 0, 0, -1, -1, 5002);
	CU_ASSERT_EQUAL(v.inject.counts.nested, 2);
	end(&v);
}

static int first_vm(void *arg, const struct csg_event *event)
{
	*(int32_t *)arg = event->machine_pid;
	return 1;
}

static void a_guest_of_an_unknown_vm_is_no_host(void)
{
	struct view v;
	int32_t vm = 0;

	begin(&v, false);
	branch(&v, 5001, LOST_GUEST, LOST_GUEST);
	injecting_finish(&v.file);
	reads(&v, CSG_CPUMODE_GUEST_KERNEL, 0x1000 + LOST_GUEST, 0x2000 + LOST_GUEST, -1, -1, 5001);
	csg_recording_events(v.file.made, 1u << CSG_EVENT_SAMPLE, first_vm, &vm);
	CU_ASSERT_EQUAL(vm, CSG_INJECT_NO_VM);
	CU_ASSERT_EQUAL(v.inject.counts.no_vm, 1);
	CU_ASSERT_PTR_NULL(injecting_record(v.file.made, CSG_PERF_RECORD_MMAP, 0));
	end(&v);
}

static void a_vms_kernel_is_reported_once(void)
{
	struct view v;

	begin(&v, false);
	branch(&v, 5001, GUEST_USER, GUEST_USER);
	branch(&v, 5001, GUEST, GUEST);
	branch(&v, 5002, OTHER_VCPU, OTHER_VCPU);
	injecting_finish(&v.file);
	CU_ASSERT_PTR_NOT_NULL(injecting_record(v.file.made, CSG_PERF_RECORD_MMAP, 0));
	CU_ASSERT_PTR_NULL(injecting_record(v.file.made, CSG_PERF_RECORD_MMAP, 1));
	end(&v);
}

static void times_never_run_backwards(void)
{
	struct view v;

	begin(&v, false);
	branch(&v, 100, USER, USER); /* before the recording began */
	branch(&v, 5100, USER, USER);
	branch(&v, 5050, USER, USER);
	branch(&v, 99999, USER, USER); /* after it ended */
	branch(&v, 5200, USER, USER);
	injecting_finish(&v.file);
	reads(&v, CSG_CPUMODE_USER, 0x1002, 0x2002, 10, 11, 5000);
	reads(&v, CSG_CPUMODE_USER, 0x1002, 0x2002, 10, 11, 5100);
	reads(&v, CSG_CPUMODE_USER, 0x1002, 0x2002, 10, 11, 5100);
	reads(&v, CSG_CPUMODE_USER, 0x1002, 0x2002, 10, 11, 5100);
	reads(&v, CSG_CPUMODE_USER, 0x1002, 0x2002, 10, 11, 5200);
	CU_ASSERT_EQUAL(v.inject.counts.late, 3);
	end(&v);
}

static void a_stack_ends_where_it_leaves_the_machine(void)
{
	const struct csg_sample_branch stack[] = {{1, 2, GUEST, GUEST},
						  {3, 4, GUEST_USER, GUEST},
						  {5, 6, KERNEL, GUEST_USER},
						  {7, 8, GUEST, GUEST}};
	const struct csg_sample sample = {.time = 5001,
					  .order = 5001,
					  .event = CSG_SAMPLE_INSTRUCTION,
					  .ip = 0x1000,
					  .owner = GUEST,
					  .target = CSG_SAMPLE_NOBODY,
					  .thread = GUEST,
					  .period = 10,
					  .branch_count = 4};
	const uint8_t *r;
	struct view v;

	begin(&v, true);
	CU_ASSERT_EQUAL(csg_inject_sample(&v.inject, &sample, stack, NULL), 0);
	injecting_finish(&v.file);
	r = injecting_record(v.file.made, CSG_PERF_RECORD_SAMPLE, 0);
	CU_ASSERT_PTR_NOT_NULL_FATAL(r);
	CU_ASSERT_EQUAL(csg_le64(r + 48), 10); /* period */
	CU_ASSERT_EQUAL_FATAL(csg_le64(r + 56), 2);
	CU_ASSERT_EQUAL(csg_le64(r + 64), 1);
	CU_ASSERT_EQUAL(csg_le64(r + 96), 4);
	CU_ASSERT_EQUAL(v.inject.counts.instructions, 1);
	end(&v);
}

/* A guest's kernel that its user code called; below both what is not looked up with them. */
static const struct csg_sample_frame frames[] = {
	{.address = 0x10, .owner = GUEST_5},	{.address = 0x20, .owner = GUEST_5},
	{.address = 0x30, .owner = GUEST_USER}, {.address = 0x40, .owner = GUEST_USER},
	{.address = 0x50, .owner = KERNEL},	{.address = 0x60, .owner = GUEST_5},
};

/* Injects an instruction of owner with a chain, and gives the chain that was written. */
static const uint8_t *inject_chain(struct view *v, uint32_t owner,
				   const struct csg_sample_frame *chain, uint32_t n)
{
	const struct csg_sample sample = {.time = 5001,
					  .order = 5001,
					  .event = CSG_SAMPLE_INSTRUCTION,
					  .ip = chain->address,
					  .owner = owner,
					  .target = CSG_SAMPLE_NOBODY,
					  .thread = owner,
					  .period = 10,
					  .chain_count = n};
	const uint8_t *r;

	CU_ASSERT_EQUAL(csg_inject_sample(&v->inject, &sample, NULL, chain), 0);
	injecting_finish(&v->file);
	r = injecting_record(v->file.made, CSG_PERF_RECORD_SAMPLE, 0);
	CU_ASSERT_PTR_NOT_NULL_FATAL(r);
	return r + 56;
}

static const uint8_t *chain_of(struct view *v, bool plain, uint32_t owner,
			       const struct csg_sample_frame *chain, uint32_t n)
{
	begin_with(v, false, true);
	v->inject.plain = plain;
	return inject_chain(v, owner, chain, n);
}

static const uint8_t *joined_chain_of(struct view *v, uint32_t owner,
				      const struct csg_sample_frame *chain, uint32_t n)
{
	begin_with(v, false, true);
	v->inject.joined = true;
	return inject_chain(v, owner, chain, n);
}

/* n entries: they. */
static void chain_is(const uint8_t *r, size_t n, const uint64_t *entries)
{
	CU_ASSERT_EQUAL_FATAL(csg_le64(r), n);
	for (size_t i = 0; i < n; i++)
		CU_ASSERT_EQUAL(csg_le64(r + 8 + 8 * i), entries[i]);
}

static void a_chain_says_where_its_frames_ran_and_ends_at_the_border(void)
{
	const uint64_t guest[] = {CSG_CONTEXT_GUEST_KERNEL, 0x10, 0x20,
				  CSG_CONTEXT_GUEST_USER,   0x30, 0x40};
	const uint64_t plain[] = {CSG_CONTEXT_KERNEL, 0x10, 0x20, CSG_CONTEXT_USER, 0x30, 0x40};
	const uint64_t host[] = {CSG_CONTEXT_KERNEL, 0x70, CSG_CONTEXT_USER, 0x80};
	const struct csg_sample_frame of_host[] = {{.address = 0x70, .owner = KERNEL},
						   {.address = 0x80, .owner = USER},
						   {.address = 0, .owner = USER}};
	const uint64_t hypervisor[] = {CSG_CONTEXT_HV, 0x90};
	const struct csg_sample_frame of_hypervisor = {.address = 0x90, .owner = HYP};
	struct view v;

	chain_is(chain_of(&v, false, GUEST_5, frames, 6), 6, guest);
	end(&v);
	chain_is(chain_of(&v, true, GUEST_5, frames, 6), 6, plain);
	end(&v);
	chain_is(chain_of(&v, false, KERNEL, of_host, 3), 4, host);
	end(&v);
	chain_is(chain_of(&v, false, HYP, &of_hypervisor, 1), 2, hypervisor);
	end(&v);
}

/* Around a switch a kernel has the next thread's name, and still the last one's stack. */
static void a_chain_has_no_user_code_of_another_process(void)
{
	const uint64_t kernel[] = {CSG_CONTEXT_GUEST_KERNEL, 0x10, 0x20};
	const uint64_t whole[] = {CSG_CONTEXT_GUEST_KERNEL, 0x10, 0x20,
				  CSG_CONTEXT_GUEST_USER,   0x30, 0x40};
	struct view v;

	chain_is(chain_of(&v, false, GUEST_6, frames, 6), 3, kernel);
	end(&v);
	chain_is(chain_of(&v, false, GUEST, frames, 6), 6, whole); /* perf finds no code there */
	end(&v);
}

/* As its VMM's thread runs it; below what that is not. */
static void a_guests_chain_may_go_on_in_the_host(void)
{
	const struct csg_sample_frame below[] = {
		{.address = 0x10, .owner = GUEST_5}, {.address = 0x20, .owner = GUEST_USER},
		{.address = 0x50, .owner = KERNEL},  {.address = 0x60, .owner = VMM},
		{.address = 0x70, .owner = USER}, /* another process */
	};
	const uint64_t whole[] = {CSG_CONTEXT_GUEST_KERNEL, 0x10, CSG_CONTEXT_GUEST_USER, 0x20,
				  CSG_CONTEXT_KERNEL,	    0x50, CSG_CONTEXT_USER,	  0x60};
	const uint64_t kernel[] = {CSG_CONTEXT_KERNEL, 0x50};
	struct view v;

	chain_is(joined_chain_of(&v, GUEST_5, below, 5), 8, whole);
	end(&v);
	/* The host's own goes on in its own process only, and a guest nobody knows in none. */
	chain_is(joined_chain_of(&v, KERNEL, below + 2, 2), 2, kernel);
	end(&v);
	chain_is(joined_chain_of(&v, LOST_GUEST, below + 2, 2), 0, NULL);
	end(&v);
}

static void losses_are_passed_on(void)
{
	const struct csg_sample sample = {.time = 5001,
					  .order = 5001,
					  .event = CSG_SAMPLE_ERROR,
					  .gap = 2,
					  .ip = 0x1000,
					  .owner = CSG_SAMPLE_NOBODY,
					  .thread = GUEST,
					  .cpu = 3};
	struct view v;
	const uint8_t *r;

	begin(&v, false);
	CU_ASSERT_EQUAL(csg_inject_sample(&v.inject, &sample, NULL, NULL), 0);
	injecting_finish(&v.file);
	r = injecting_record(v.file.made, CSG_PERF_RECORD_AUXTRACE_ERROR, 0);
	CU_ASSERT_PTR_NOT_NULL_FATAL(r);
	CU_ASSERT_EQUAL(csg_le32(r + 16), 3);
	CU_ASSERT_EQUAL(csg_le32(r + 112), 42);
	CU_ASSERT_EQUAL(v.inject.counts.errors, 1);
	end(&v);
}

CSG_SUITE(inject, inject, CSG_TEST(a_branch_within_a_machine_is_one_sample),
	  CSG_TEST(a_branch_into_another_machine_is_two),
	  CSG_TEST(a_guest_of_a_guest_has_no_address),
	  CSG_TEST(what_nobody_owns_is_given_to_nobody),
	  CSG_TEST(a_guest_of_an_unknown_vm_is_no_host), CSG_TEST(a_vms_kernel_is_reported_once),
	  CSG_TEST(times_never_run_backwards), CSG_TEST(a_stack_ends_where_it_leaves_the_machine),
	  CSG_TEST(a_chain_says_where_its_frames_ran_and_ends_at_the_border),
	  CSG_TEST(a_chain_has_no_user_code_of_another_process),
	  CSG_TEST(a_guests_chain_may_go_on_in_the_host), CSG_TEST(losses_are_passed_on));
