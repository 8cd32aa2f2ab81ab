/* SPDX-License-Identifier: BSD-3-Clause */
#include "inject/injection_file.h"

#include "csguest/error.h"
#include "injecting.h"
#include "suite.h"
#include "util/bytes.h"

static void put(struct injecting *i, bool branch, struct csg_injected_guest guest)
{
	const struct csg_injected_sample sample = {
		.branch = branch, .time = 5000, .period = 1, .guest = guest};

	CU_ASSERT_EQUAL(csg_injection_sample(i->injection, &sample), 0);
}

/* Where in the file the first record of a type and, unless 0, an ID in its first word is. */
static uint64_t place_of(const struct csg_recording *rec, uint32_t type, uint64_t id)
{
	uint64_t place = UINT64_MAX;

	for (size_t i = 0; i < rec->kept->n_records; i++) {
		const uint8_t *bytes;
		size_t len;

		CU_ASSERT_EQUAL_FATAL(csg_kept_read(rec->kept, i, &bytes, &len), 0);
		if (csg_le32(bytes) == type && (!id || csg_le64(bytes + 8) == id) &&
		    rec->kept->records[i].place < place)
			place = rec->kept->records[i].place;
	}
	return place;
}

/* perf reads a record when it comes to it: an ID must have been reported before. */
static void a_guest_is_reported_before_its_first_record(void)
{
	struct injecting i = {0};
	const uint8_t *index;
	uint64_t id, reported;

	injecting_begin(&i);
	put(&i, true, (struct csg_injected_guest){0, -1, -1});
	put(&i, true, (struct csg_injected_guest){42, 1, 9});
	put(&i, false, (struct csg_injected_guest){42, 1, 9});
	injecting_finish(&i);
	index = injecting_record(i.made, CSG_PERF_RECORD_ID_INDEX, 0);
	CU_ASSERT_PTR_NOT_NULL_FATAL(index);
	CU_ASSERT_EQUAL(csg_le64(index + 8), 3);
	CU_ASSERT_EQUAL(csg_le64(index + 16 + 24), 9);	    /* tid */
	CU_ASSERT_EQUAL(csg_le64(index + 16 + 3 * 32), 42); /* machine_pid */
	CU_ASSERT_EQUAL(csg_le64(index + 16 + 3 * 32 + 8), 1);
	id = csg_le64(index + 16);
	reported = place_of(i.made, CSG_PERF_RECORD_ID_INDEX, 0);
	CU_ASSERT(place_of(i.made, CSG_PERF_RECORD_SAMPLE, id) > reported);
	CU_ASSERT(place_of(i.made, CSG_PERF_RECORD_SAMPLE, id) < UINT64_MAX);
	CU_ASSERT(place_of(i.made, CSG_PERF_RECORD_SAMPLE, id + 1) > reported);
	CU_ASSERT(place_of(i.made, CSG_PERF_RECORD_COMM, 0) < reported);
	CU_ASSERT_PTR_NULL(injecting_record(i.made, CSG_PERF_RECORD_ID_INDEX, 1));
	injecting_end(&i);
}

static void a_file_that_cannot_be_written_is_an_error(void)
{
	struct injecting i = {0};
	int full;

	injecting_begin(&i);
	full = open("/dev/full", O_WRONLY);
	CU_ASSERT(dup2(full, i.setup.fd) >= 0);
	CU_ASSERT_EQUAL(csg_injection_finish(i.injection), -CSG_E_IO);
	CU_ASSERT_EQUAL(i.seen.errors, 1);
	CU_ASSERT_STRING_EQUAL(i.seen.file, i.out);
	close(full);
	injecting_end(&i);
}

CSG_SUITE(inject, injection_file, CSG_TEST(a_guest_is_reported_before_its_first_record),
	  CSG_TEST(a_file_that_cannot_be_written_is_an_error));
