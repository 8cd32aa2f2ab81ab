/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/open/id_check.h"

#include <string.h>

#include "recorded_walk.h"
#include "suite.h"

static struct recorded_walk w;
static unsigned int warnings;

static void hear(void *arg, const struct csg_diag *diag)
{
	(void)arg;
	warnings += diag->severity == CSG_WARNING && strstr(diag->text, "PID namespace") &&
		    strstr(diag->remedy, "--pid=host");
}

static const struct csg_diag_sink sink = {.report = hear};

/* Threads from first on are there, and perf has found all of them. */
static unsigned int warnings_of(uint64_t seed, int32_t first, int32_t count)
{
	const struct csg_attribution_options options = {.size = sizeof(options),
							.hypervisor = CSG_HV_KVM_VHE};
	struct csg_attribution *a;

	memset(&w, 0, sizeof(w));
	CU_ASSERT_FATAL(walk_init(&w.walk, seed, seed & 1, false, 2000));
	recorded_walk_open(&w);
	CU_ASSERT_EQUAL_FATAL(csg_attribution_create(&a, &options), 0);
	for (int32_t tid = first; tid < first + count; tid++)
		csg_attribution_thread(a, CSG_VM_HOST, tid, tid, "x", false, 0);
	warnings = 0;
	CU_ASSERT_EQUAL(csg_check_ids(a, w.rec, w.path, &sink), 0);
	csg_attribution_destroy(a);
	recorded_walk_close(&w);
	return warnings;
}

static void context_ids_of_no_thread_are_reported_once(void)
{
	unsigned int said = 0;

	for (uint64_t seed = 1; seed < 30; seed++) {
		unsigned int n = warnings_of(seed, 1 << 30, 3);

		CU_ASSERT(n <= 1);
		said += n;
	}
	CU_ASSERT(said > 3);
}

static void context_ids_of_threads_that_are_there_are_not(void)
{
	for (uint64_t seed = 1; seed < 10; seed++)
		CU_ASSERT_EQUAL(warnings_of(seed, 1, 70000), 0);
}

CSG_SUITE(session_open, id_check, CSG_TEST(context_ids_of_no_thread_are_reported_once),
	  CSG_TEST(context_ids_of_threads_that_are_there_are_not));
