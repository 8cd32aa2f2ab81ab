/* SPDX-License-Identifier: BSD-3-Clause */
#include "inject/injection.h"

#include "csguest/error.h"
#include "injecting.h"
#include "util/bytes.h"
#include "suite.h"
#include "recording/recording.h"

static const struct csg_injected_guest host = {0, -1, -1};

static struct csg_injected_sample sample_of(bool branch, uint64_t time, uint64_t ip,
					    struct csg_injected_guest guest)
{
	return (struct csg_injected_sample){
		.branch = branch,
		.cpumode = guest.machine_pid ? CSG_CPUMODE_GUEST_KERNEL : CSG_CPUMODE_KERNEL,
		.time = time,
		.ip = ip,
		.addr = branch ? ip + 64 : 0,
		.period = branch ? 1 : 100,
		.pid = 7,
		.tid = 8,
		.cpu = 1,
		.guest = guest,
	};
}

static void put(struct injecting *i, bool branch, uint64_t time, uint64_t ip,
		struct csg_injected_guest guest)
{
	struct csg_injected_sample sample = sample_of(branch, time, ip, guest);

	CU_ASSERT_EQUAL(csg_injection_sample(i->injection, &sample), 0);
}

/* Samples as the recording that was made gives them. */
struct seen {
	struct csg_event events[16];
	size_t n;
};

static int see(void *arg, const struct csg_event *event)
{
	struct seen *seen = arg;

	if (seen->n < 16)
		seen->events[seen->n++] = *event;
	return 0;
}

static struct seen samples_of(const struct injecting *i)
{
	struct seen seen = {.n = 0};

	CU_ASSERT_EQUAL(csg_recording_events(i->made, 1u << CSG_EVENT_SAMPLE, see, &seen), 0);
	return seen;
}

static void samples_know_their_guest(void)
{
	struct injecting i = {0};
	struct seen seen;

	injecting_begin(&i);
	put(&i, true, 100, 0x1000, host);
	put(&i, true, 110, 0x2000, (struct csg_injected_guest){42, 1, 9});
	put(&i, false, 120, 0x3000, (struct csg_injected_guest){42, 0, 10});
	put(&i, true, 130, 0x4000, (struct csg_injected_guest){42, 1, 9});
	put(&i, true, 140, 0x5000, (struct csg_injected_guest){-2, -1, -1});
	injecting_finish(&i);
	seen = samples_of(&i);
	CU_ASSERT_EQUAL_FATAL(seen.n, 5);
	CU_ASSERT_EQUAL(seen.events[0].machine_pid, 0);
	CU_ASSERT_EQUAL(seen.events[0].vcpu, -1);
	CU_ASSERT_EQUAL(seen.events[0].sample.ip, 0x1000);
	CU_ASSERT_EQUAL(seen.events[0].pid, 7);
	CU_ASSERT_EQUAL(seen.events[0].tid, 8);
	CU_ASSERT_EQUAL(seen.events[0].cpu, 1);
	CU_ASSERT_EQUAL(seen.events[0].time, 100);
	CU_ASSERT_EQUAL(seen.events[1].machine_pid, 42);
	CU_ASSERT_EQUAL(seen.events[1].vcpu, 1);
	CU_ASSERT_EQUAL(seen.events[2].vcpu, 0);
	CU_ASSERT_EQUAL(seen.events[2].value, 3);
	CU_ASSERT_EQUAL(seen.events[3].vcpu, 1);
	CU_ASSERT_EQUAL(seen.events[3].value, 2);
	CU_ASSERT_EQUAL(seen.events[4].machine_pid, -2);
	injecting_end(&i);
}

static void the_recordings_records_stay_as_they_were(void)
{
	struct injecting i = {0};
	struct csg_kept *before, *after;

	injecting_begin(&i);
	put(&i, true, 2500, 0x1000, host);
	injecting_finish(&i);
	before = i.rec->kept;
	after = i.made->kept;
	CU_ASSERT_EQUAL_FATAL(after->n_records, before->n_records + 1);
	for (size_t b = 0, a = 0; b < before->n_records; b++, a++) {
		const uint8_t *x, *y;
		size_t n, m;

		if (after->records[a].time == 2500)
			a++;
		CU_ASSERT_EQUAL_FATAL(csg_kept_read(before, b, &x, &n), 0);
		CU_ASSERT_EQUAL_FATAL(csg_kept_read(after, a, &y, &m), 0);
		CU_ASSERT_EQUAL_FATAL(n, m);
		CU_ASSERT_EQUAL(memcmp(x, y, n), 0);
	}
	injecting_end(&i);
}

static void the_trace_is_gone_and_its_event_a_dummy(void)
{
	struct injecting i = {0};

	pb_small(&i.file);
	pb_feature_text(pb_feature(&i.file, CSG_PERF_HOSTNAME), "host");
	injecting_begin(&i);
	put(&i, true, 2500, 0x1000, host);
	injecting_finish(&i);
	CU_ASSERT_EQUAL(i.made->n_chunks, 0);
	CU_ASSERT_EQUAL(i.made->n_sources, 0);
	CU_ASSERT_STRING_EQUAL(i.made->info.hostname, "host");
	CU_ASSERT_EQUAL_FATAL(i.made->kept->n_attrs, 5);
	CU_ASSERT_EQUAL(csg_le32(i.made->kept->attrs[0].bytes), 1); /* PERF_TYPE_SOFTWARE */
	CU_ASSERT_EQUAL(csg_le64(i.made->kept->attrs[0].bytes + 8), 9);
	CU_ASSERT_EQUAL(i.made->kept->attrs[0].n_ids, PB_CPUS);
	injecting_end(&i);
}

static void a_guests_kernel_is_reported(void)
{
	const struct csg_injected_guest guest = {42, 0, 9};
	const struct csg_injected_kernel kernel = {0xffff800000000000, 0x10000, "_text",
						   0xffff800000000000};
	struct injecting i = {0};
	const uint8_t *map;

	injecting_begin(&i);
	CU_ASSERT_EQUAL(csg_injection_kernel(i.injection, &guest, &kernel), 0);
	injecting_finish(&i);
	map = injecting_record(i.made, CSG_PERF_RECORD_MMAP, 0);
	CU_ASSERT_PTR_NOT_NULL_FATAL(map);
	CU_ASSERT_EQUAL(map[4], CSG_CPUMODE_GUEST_KERNEL);
	CU_ASSERT_EQUAL(csg_le64(map + 16), kernel.start);
	CU_ASSERT_EQUAL(csg_le64(map + 32), kernel.reference_address);
	CU_ASSERT_STRING_EQUAL((const char *)map + 40, "[kernel.kallsyms]_text");
	injecting_end(&i);
}

static void losses_are_reported(void)
{
	const struct csg_injected_error error = {3, 1, 7, 8, 0x1000, 2500, "overflow", {42, 0, 9}};
	struct injecting i = {0};
	const uint8_t *record;

	injecting_begin(&i);
	CU_ASSERT_EQUAL(csg_injection_error(i.injection, &error), 0);
	injecting_finish(&i);
	record = injecting_record(i.made, CSG_PERF_RECORD_AUXTRACE_ERROR, 0);
	CU_ASSERT_PTR_NOT_NULL_FATAL(record);
	CU_ASSERT_EQUAL(csg_le16(record + 6), 120);
	CU_ASSERT_EQUAL(csg_le32(record + 28), 2); /* fmt */
	CU_ASSERT_EQUAL(csg_le64(record + 40), 2500);
	CU_ASSERT_STRING_EQUAL((const char *)record + 48, "overflow");
	CU_ASSERT_EQUAL(csg_le32(record + 112), 42);
	injecting_end(&i);
}

static void stacks_are_written(void)
{
	const struct csg_injected_branch stack[] = {{1, 2}, {3, 4}};
	struct csg_injected_sample sample = sample_of(false, 2500, 0x1000, host);
	struct injecting i = {0};
	const uint8_t *record;

	i.setup = (struct csg_injection_setup){.path = i.out,
					       .instructions = true,
					       .instructions_name = "instructions",
					       .period = 1,
					       .stacks = true};
	injecting_begin(&i);
	sample.stack = stack;
	sample.n_stack = 2;
	CU_ASSERT_EQUAL(csg_injection_sample(i.injection, &sample), 0);
	injecting_finish(&i);
	record = injecting_record(i.made, CSG_PERF_RECORD_SAMPLE, 0);
	CU_ASSERT_PTR_NOT_NULL_FATAL(record);
	CU_ASSERT_EQUAL_FATAL(csg_le16(record + 6), 8 + 6 * 8 + 8 + 2 * 24);
	CU_ASSERT_EQUAL(csg_le64(record + 56), 2);
	CU_ASSERT_EQUAL(csg_le64(record + 88), 3);
	CU_ASSERT_PTR_NOT_NULL(csg_kept_feature(i.made->kept, CSG_PERF_BRANCH_STACK));
	CU_ASSERT_EQUAL(i.made->kept->n_attrs, 4);
	injecting_end(&i);
}

/* What distinguishes samples, whatever their order. */
static uint64_t digest(uint64_t ip, uint64_t time, int32_t machine_pid, int32_t vcpu,
		       uint64_t event)
{
	uint64_t word = ip ^ time << 40 ^ (uint64_t)(machine_pid + 8) << 8 ^
			(uint64_t)(vcpu + 8) << 16 ^ event << 24;

	return (word ^ word >> 31) * 0x9e3779b97f4a7c15u;
}

static int add_digest(void *arg, const struct csg_event *e)
{
	uint64_t *sum = arg;

	*sum += digest(e->sample.ip, e->time, e->machine_pid, e->vcpu, e->value == 2);
	return 0;
}

/* Puts n samples in at random; returns the sum of their digests. */
static uint64_t put_random(struct injecting *i, unsigned int *seed, uint64_t n)
{
	uint64_t sum = 0;

	for (uint64_t k = 0; k < n; k++) {
		uint64_t ip = (uint64_t)rand_r(seed) << 32 | (uint64_t)rand_r(seed);
		uint64_t time = 1 + (i->setup.in_order ? k / 3 : (uint64_t)rand_r(seed) % 9000);
		struct csg_injected_guest guest = host;
		bool branch = rand_r(seed) % 2;

		if (rand_r(seed) % 2) {
			guest.machine_pid = (int32_t)(rand_r(seed) % 3) + 1;
			guest.vcpu = (int32_t)(rand_r(seed) % 5) - 1;
		}
		sum += digest(ip, time, guest.machine_pid, guest.vcpu, branch);
		put(i, branch, time, ip, guest);
	}
	return sum;
}

/* Whatever is put in, in whatever order, comes out of the file again. */
static void anything_written_reads_back(void)
{
	unsigned int seed = 1;

	for (int round = 0; round < 20; round++) {
		struct injecting i = {0};
		uint64_t n = 1 + (uint64_t)rand_r(&seed) % 30000, put_in, found = 0;

		i.setup = (struct csg_injection_setup){.path = i.out,
						       .branches = true,
						       .instructions = true,
						       .branches_name = "b",
						       .instructions_name = "i",
						       .in_order = round % 2};
		injecting_begin(&i);
		put_in = put_random(&i, &seed, n);
		injecting_finish(&i);
		CU_ASSERT_EQUAL(
			csg_recording_events(i.made, 1u << CSG_EVENT_SAMPLE, add_digest, &found),
			0);
		CU_ASSERT_EQUAL(found, put_in);
		CU_ASSERT_EQUAL(i.made->kept->dropped, 0);
		CU_ASSERT_EQUAL(i.made->info.unknown_records, 0);
		injecting_end(&i);
	}
}

CSG_SUITE(inject, injection, CSG_TEST(samples_know_their_guest),

	  CSG_TEST(the_recordings_records_stay_as_they_were),
	  CSG_TEST(the_trace_is_gone_and_its_event_a_dummy), CSG_TEST(a_guests_kernel_is_reported),
	  CSG_TEST(losses_are_reported), CSG_TEST(stacks_are_written),

	  CSG_TEST(anything_written_reads_back));
