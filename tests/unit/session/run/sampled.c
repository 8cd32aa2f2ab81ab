/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/run/sampled.h"

#include "suite.h"

#define HERE UINT64_C(0x1000)
#define THREAD 150

static struct csg_owner_table owners;
static struct csg_sampled sampled;
static struct csg_traced_sample sample;

static uint32_t number(enum csg_world world, enum csg_privilege privilege)
{
	struct csg_owner owner = CSG_OWNER_UNKNOWN;

	owner.world = world;
	owner.privilege = privilege;
	owner.host_tid = THREAD;
	owner.reason = CSG_REASON_NONE;
	return (uint32_t)csg_owner_table_number(&owners, &owner);
}

/* A stream whose only sample says this. */
static void begin(enum csg_cpumode cpumode, uint64_t ip)
{
	static const struct csg_source source = {.queue = 1, .cpu = 1};

	CU_ASSERT_EQUAL_FATAL(csg_owner_table_init(&owners), 0);
	sample = (struct csg_traced_sample){.size = sizeof(sample),
					    .time = 77,
					    .ip = ip,
					    .end = 100,
					    .queue = 1,
					    .cpu = 1,
					    .tid = THREAD,
					    .cpumode = (uint8_t)cpumode};
	csg_sampled_init(&sampled, &sample, 1, &source, &owners);
}

static void range(uint32_t owner, uint64_t end, enum csg_branch branch)
{
	const struct csg_element e = {.kind = CSG_ELEMENT_RANGE,
				      .start = end - 4,
				      .end = end,
				      .owner = owner,
				      .taken = true,
				      .branch = (uint8_t)branch};

	csg_sampled_see(&sampled, &e, 1);
}

static void exception(uint64_t returns_to)
{
	const struct csg_element e = {
		.kind = CSG_ELEMENT_EXCEPTION, .end = returns_to, .has_return = true};

	csg_sampled_see(&sampled, &e, 1);
}

/* The owner of the sample's element; conflicts: it is reported. */
static uint32_t end(bool conflicts)
{
	const struct csg_element *e = csg_sampled_element(&sampled);
	uint32_t owner = e->owner;

	CU_ASSERT_EQUAL(e->kind, CSG_ELEMENT_SAMPLE);
	CU_ASSERT_EQUAL(e->index, 100);
	CU_ASSERT_EQUAL(e->timestamp, 77);
	CU_ASSERT_EQUAL(sampled.conflict.text[0] != 0, conflicts);
	CU_ASSERT_EQUAL(sampled.error, 0);
	if (conflicts)
		CU_ASSERT_EQUAL(csg_owner_table_get(&owners, owner)->reason, CSG_REASON_CONFLICT);
	csg_sampled_take(&sampled);
	CU_ASSERT_FALSE(csg_sampled_ends(&sampled, &(struct csg_element){.index = 200}));
	csg_owner_table_fini(&owners);
	return owner;
}

static void a_sample_ends_before_what_comes_after_its_trace(void)
{
	static const struct csg_source other = {.queue = 2, .cpu = 2};

	begin(CSG_CPUMODE_USER, HERE);
	CU_ASSERT_FALSE(csg_sampled_ends(&sampled, &(struct csg_element){.index = 99}));
	CU_ASSERT_TRUE(csg_sampled_ends(&sampled, &(struct csg_element){.index = 100}));
	csg_sampled_init(&sampled, &sample, 1, &other, &owners);
	CU_ASSERT_FALSE(csg_sampled_ends(&sampled, &(struct csg_element){.index = 100}));
	csg_owner_table_fini(&owners);
}

static void a_sample_is_of_the_stream_of_its_queue_and_cpu(void)
{
	static const struct csg_traced_sample samples[] = {
		{.queue = 0, .cpu = 1},		 {.queue = 1, .cpu = 2}, {.queue = 1, .cpu = 1},
		{.queue = 1, .cpu = CSG_NO_CPU}, {.queue = 1, .cpu = 2}, {.queue = 2, .cpu = 1},
	};
	const size_t n = sizeof(samples) / sizeof(*samples);

	CU_ASSERT_EQUAL_FATAL(csg_owner_table_init(&owners), 0);
	csg_sampled_init(&sampled, samples, n, &(struct csg_source){.queue = 1, .cpu = 1}, &owners);
	CU_ASSERT_EQUAL(sampled.next, 2);
	csg_sampled_take(&sampled);
	CU_ASSERT_EQUAL(sampled.next, 3);
	csg_sampled_take(&sampled);
	CU_ASSERT_EQUAL(sampled.next, sampled.end);
	/* A stream of any CPU has them all. */
	csg_sampled_init(&sampled, samples, n, &(struct csg_source){.queue = 1, .cpu = CSG_NO_CPU},
			 &owners);
	CU_ASSERT_EQUAL(sampled.next, 1);
	csg_sampled_take(&sampled);
	CU_ASSERT_EQUAL(sampled.next, 2);
	csg_sampled_init(&sampled, samples, n, &(struct csg_source){.queue = 3, .cpu = 1}, &owners);
	CU_ASSERT_EQUAL(sampled.next, sampled.end);
	csg_owner_table_fini(&owners);
}

static void it_is_of_the_code_that_is_at_its_ip(void)
{
	uint32_t user;

	begin(CSG_CPUMODE_USER, HERE);
	user = number(CSG_WORLD_HOST, CSG_USER);
	range(user, HERE, CSG_BRANCH_NONE);
	CU_ASSERT_EQUAL(end(false), user);
	/* A branch leads there. */
	begin(CSG_CPUMODE_GUEST_USER, HERE);
	user = number(CSG_WORLD_GUEST, CSG_USER);
	range(user, 0x8000, CSG_BRANCH_RETURN);
	CU_ASSERT_EQUAL(end(false), user);
	/* The trace ends elsewhere: in what is not known. */
	begin(CSG_CPUMODE_GUEST_USER, HERE);
	range(number(CSG_WORLD_GUEST, CSG_USER), HERE + 8, CSG_BRANCH_NONE);
	CU_ASSERT_EQUAL(end(false), 0);
}

static void or_of_the_code_that_the_handler_of_the_event_has_interrupted(void)
{
	uint32_t user;

	begin(CSG_CPUMODE_USER, HERE);
	user = number(CSG_WORLD_HOST, CSG_USER);
	range(user, HERE, CSG_BRANCH_NONE);
	exception(HERE);
	range(number(CSG_WORLD_HOST, CSG_KERNEL), 0x9000, CSG_BRANCH_NONE);
	CU_ASSERT_EQUAL(end(false), user);
	/* Another exception than the handler's. */
	begin(CSG_CPUMODE_USER, HERE);
	range(number(CSG_WORLD_HOST, CSG_USER), HERE + 8, CSG_BRANCH_NONE);
	exception(HERE + 8);
	range(number(CSG_WORLD_HOST, CSG_KERNEL), 0x9000, CSG_BRANCH_NONE);
	end(true);
}

static void a_tracepoint_is_of_the_kernel_that_goes_on(void)
{
	uint32_t kernel;

	begin(CSG_CPUMODE_KERNEL, HERE);
	range(number(CSG_WORLD_HOST, CSG_USER), 0x400, CSG_BRANCH_NONE);
	exception(0x400);
	kernel = number(CSG_WORLD_HOST, CSG_KERNEL);
	range(kernel, 0x9000, CSG_BRANCH_NONE);
	CU_ASSERT_EQUAL(end(false), kernel);
	/* A guest's cpumode says no more than that a vCPU is loaded. */
	begin(CSG_CPUMODE_GUEST_KERNEL, HERE);
	range(number(CSG_WORLD_HOST, CSG_KERNEL), 0x9000, CSG_BRANCH_NONE);
	CU_ASSERT_EQUAL(end(false), 0);
}

static void what_the_sample_says_otherwise_is_a_conflict(void)
{
	begin(CSG_CPUMODE_USER, HERE);
	range(number(CSG_WORLD_GUEST, CSG_USER), HERE, CSG_BRANCH_NONE);
	end(true);
	begin(CSG_CPUMODE_KERNEL, HERE);
	range(number(CSG_WORLD_HOST, CSG_USER), HERE, CSG_BRANCH_NONE);
	end(true);
	begin(CSG_CPUMODE_USER, HERE);
	sample.tid = THREAD + 1;
	range(number(CSG_WORLD_HOST, CSG_USER), HERE, CSG_BRANCH_NONE);
	end(true);
}

CSG_SUITE(session_run, sampled, CSG_TEST(a_sample_ends_before_what_comes_after_its_trace),
	  CSG_TEST(a_sample_is_of_the_stream_of_its_queue_and_cpu),
	  CSG_TEST(it_is_of_the_code_that_is_at_its_ip),
	  CSG_TEST(or_of_the_code_that_the_handler_of_the_event_has_interrupted),
	  CSG_TEST(a_tracepoint_is_of_the_kernel_that_goes_on),
	  CSG_TEST(what_the_sample_says_otherwise_is_a_conflict));
