/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/vcpu_loaded.h"

#include "suite.h"

#define US 1000 /* the host's counter has a tick a nanosecond */
#define VM 500
#define VCPU 503
#define OTHER 600
#define OFFSET 5000 * US

static struct csg_facts facts;
static struct csg_host_alone alone;
static struct csg_agreement agreement;
static struct csg_vcpu_loaded loaded;

static const struct csg_context user = {.el = CSG_EL0};

static struct csg_context kernel_of(uint32_t thread)
{
	return (struct csg_context){
		.el = CSG_EL1, .has_contextidr = true, .contextidr_el1 = thread};
}

static void add_vcpu(int32_t tid, int32_t vm, int64_t low, int64_t high)
{
	const struct csg_vcpu_entry vcpu = {.tid = tid, .vm = vm, .source = CSG_VCPU_BY_NAME};
	const struct csg_offset_period offset = {
		.from = 1, .until = 2, .offset = {low, high}, .sources = CSG_OFFSET_BY_TRACE};

	CU_ASSERT_EQUAL(csg_vcpus_add(&facts.vcpus, &vcpu), 0);
	if (high)
		csg_offsets_observe(&facts.clocks.offsets, vm, &offset);
}

/* On CPU 0: thread 10 from 6000 us on, the vCPU from 6100 to 6200, then 10, and OTHER's from 6300
 * to 6400. */
static void begin(void)
{
	static const struct {
		uint64_t time;
		int32_t from_pid, from, to_pid, to;
	} switches[] = {{6100, 10, 10, VM, VCPU},
			{6200, VM, VCPU, 10, 10},
			{6300, 10, 10, OTHER, 603},
			{6400, OTHER, 603, 10, 10}};
	const struct csg_attribution_piece piece = {.begin_time = 6000 * US, .end_time = 7000 * US};
	const struct csg_trace_unit unit = {.cpu = 0, .ts_source = CSG_TS_SOURCE_VIRTUAL};

	facts = (struct csg_facts){0};
	agreement = (struct csg_agreement){0};
	csg_facts_machine(&facts, CSG_VM_HOST)->clock.conv =
		(struct csg_time_conv){.mult = 1, .valid = true};
	csg_residency_seen(&facts.residency, 0, 6000 * US, 10, 10);
	for (size_t i = 0; i < sizeof(switches) / sizeof(*switches); i++) {
		const uint64_t time = switches[i].time * US;

		csg_residency_out(&facts.residency, 0, time, switches[i].from_pid, switches[i].from,
				  switches[i].to);
		csg_residency_in(&facts.residency, 0, time + US, switches[i].to_pid, switches[i].to,
				 switches[i].from);
	}
	csg_residency_seen(&facts.residency, 0, 7000 * US, 10, 10);
	add_vcpu(VCPU, VM, OFFSET, OFFSET + 2 * US);
	csg_host_alone_init(&alone, &facts, &unit, &agreement);
	csg_host_alone_piece(&alone, &piece);
	loaded = (struct csg_vcpu_loaded){.fits = CSG_LOADED_FITS, .named = CSG_LOADED_NAMED};
}

static enum csg_world tell(uint64_t host_us, const struct csg_context *context)
{
	return csg_vcpu_loaded_tell(&loaded, &alone, (uint64_t)host_us * US - OFFSET, context);
}

static void end(void)
{
	csg_facts_fini(&facts);
}

static void user_code_in_a_guests_time_is_the_guests(void)
{
	begin();
	CU_ASSERT_EQUAL(tell(6150, &user), CSG_WORLD_GUEST);
	CU_ASSERT_EQUAL(loaded.wrong, false);
	end();
}

static void a_kernel_is_the_guests_unless_it_has_the_threads_id(void)
{
	const struct csg_context other = kernel_of(21), its = kernel_of(VCPU),
				 none = {.el = CSG_EL1};

	begin();
	CU_ASSERT_EQUAL(tell(6120, &other), CSG_WORLD_GUEST);
	CU_ASSERT_EQUAL(tell(6130, &none), CSG_WORLD_UNKNOWN);
	/* Of a guest of which nothing is known, any thread may have the number. */
	CU_ASSERT_EQUAL(tell(6140, &its), CSG_WORLD_UNKNOWN);
	csg_facts_machine(&facts, VM);
	CU_ASSERT_EQUAL(tell(6150, &its), CSG_WORLD_HOST);
	csg_thread_seen(&csg_facts_machine(&facts, VM)->threads, VCPU, VCPU, NULL, false, 0);
	CU_ASSERT_EQUAL(tell(6160, &its), CSG_WORLD_UNKNOWN);
	end();
}

static void a_thread_that_the_host_alone_has_is_none_of_the_guests(void)
{
	const struct csg_context other = kernel_of(21),
				 its_user = {.has_contextidr = true, .contextidr_el1 = 21};

	begin();
	csg_facts_machine(&facts, VM);
	csg_thread_seen(&csg_facts_machine(&facts, CSG_VM_HOST)->threads, 21, 21, NULL, false, 0);
	CU_ASSERT_EQUAL(tell(6120, &other), CSG_WORLD_UNKNOWN);
	CU_ASSERT(loaded.astray);
	CU_ASSERT_EQUAL(tell(6130, &its_user), CSG_WORLD_UNKNOWN);
	CU_ASSERT(loaded.astray);
	CU_ASSERT_EQUAL(tell(6140, &user), CSG_WORLD_GUEST);
	CU_ASSERT_FALSE(loaded.astray);
	csg_thread_seen(&csg_facts_machine(&facts, VM)->threads, 21, 21, NULL, false, 0);
	CU_ASSERT_EQUAL(tell(6150, &other), CSG_WORLD_GUEST);
	CU_ASSERT_FALSE(loaded.astray);
	end();
}

static void the_host_must_have_shown_that_it_writes_the_id(void)
{
	const struct csg_context other = kernel_of(21), zero = kernel_of(0);

	begin();
	loaded.named = 0;
	csg_vcpu_loaded_see_host(&loaded, &zero);
	csg_vcpu_loaded_see_host(&loaded, &user);
	for (int i = 1; i < CSG_LOADED_NAMED; i++)
		csg_vcpu_loaded_see_host(&loaded, &other);
	CU_ASSERT_EQUAL(tell(6120, &other), CSG_WORLD_UNKNOWN);
	csg_vcpu_loaded_see_host(&loaded, &other);
	CU_ASSERT_EQUAL(tell(6121, &other), CSG_WORLD_GUEST);
	end();
}

static void what_may_be_the_hosts_time_says_nothing(void)
{
	begin();
	CU_ASSERT_EQUAL(csg_vcpu_loaded_tell(&loaded, &alone, 6150 * US, &user), CSG_WORLD_UNKNOWN);
	CU_ASSERT_FALSE(loaded.wrong);
	end();
}

static void near_a_switch_nobody_is_named(void)
{
	begin();
	CU_ASSERT_EQUAL(tell(6101, &user), CSG_WORLD_UNKNOWN);
	CU_ASSERT_EQUAL(tell(6198, &user), CSG_WORLD_UNKNOWN);
	CU_ASSERT_FALSE(loaded.wrong);
	end();
}

static void a_time_at_which_no_vcpu_was_there_ends_all(void)
{
	begin();
	CU_ASSERT_EQUAL(tell(6250, &user), CSG_WORLD_UNKNOWN);
	CU_ASSERT(loaded.wrong);
	CU_ASSERT_EQUAL(tell(6150, &user), CSG_WORLD_UNKNOWN);
	end();
}

static void some_timestamps_must_fit_first(void)
{
	begin();
	loaded.fits = 0;
	for (uint64_t i = 1; i < CSG_LOADED_FITS; i++)
		CU_ASSERT_EQUAL(tell(6110 + i, &user), CSG_WORLD_UNKNOWN);
	CU_ASSERT_EQUAL(tell(6150, &user), CSG_WORLD_GUEST);
	end();
}

/* Another VM's vCPU, by another offset, may have been loaded as well; or its offset is not
 * known. */
static void another_vm_that_fits_leaves_it_open(void)
{
	begin();
	add_vcpu(603, OTHER, OFFSET + 200 * US, OFFSET + 201 * US);
	CU_ASSERT_EQUAL(tell(6150, &user), CSG_WORLD_UNKNOWN);
	CU_ASSERT_EQUAL(tell(6180, &user), CSG_WORLD_UNKNOWN);
	end();
	begin();
	add_vcpu(603, OTHER, 0, 0);
	CU_ASSERT_EQUAL(tell(6150, &user), CSG_WORLD_UNKNOWN);
	end();
	begin();
	add_vcpu(603, OTHER, OFFSET + 400 * US, OFFSET + 401 * US);
	CU_ASSERT_EQUAL(tell(6150, &user), CSG_WORLD_GUEST);
	end();
}

CSG_SUITE(guest, vcpu_loaded, CSG_TEST(user_code_in_a_guests_time_is_the_guests),
	  CSG_TEST(a_kernel_is_the_guests_unless_it_has_the_threads_id),
	  CSG_TEST(a_thread_that_the_host_alone_has_is_none_of_the_guests),
	  CSG_TEST(the_host_must_have_shown_that_it_writes_the_id),
	  CSG_TEST(what_may_be_the_hosts_time_says_nothing),
	  CSG_TEST(near_a_switch_nobody_is_named),
	  CSG_TEST(a_time_at_which_no_vcpu_was_there_ends_all),
	  CSG_TEST(some_timestamps_must_fit_first), CSG_TEST(another_vm_that_fits_leaves_it_open));
