/* SPDX-License-Identifier: BSD-3-Clause */
#include "recorded_walk.h"
#include "session/open/prescan_streams.h"
#include "suite.h"

static struct recorded_walk w;

static void vcpu_threads_of_the_trace_are_known_after_it(void)
{
	const struct csg_attribution_options options = {.size = sizeof(options),
							.hypervisor = CSG_HV_KVM_VHE};
	struct csg_attribution *a;
	size_t n, threads = 0;

	memset(&w, 0, sizeof(w));
	for (uint64_t seed = 1; !threads && seed < 20; seed++) {
		CU_ASSERT_FATAL(walk_init(&w.walk, seed, false, false, 2000));
		recorded_walk_open(&w);
		CU_ASSERT_EQUAL_FATAL(csg_attribution_create(&a, &options), 0);
		for (int32_t tid = 1; tid < 2000; tid++)
			csg_attribution_thread(a, CSG_VM_HOST, 5, tid, NULL, false, 0);
		csg_attribution_vcpus(a, &n);
		CU_ASSERT_EQUAL(n, 0);
		CU_ASSERT_EQUAL(csg_prescan_streams(a, w.rec, NULL), 0);
		csg_attribution_vcpus(a, &threads);
		csg_attribution_destroy(a);
		recorded_walk_close(&w);
	}
	CU_ASSERT(threads > 0);
}

CSG_SUITE(session_open, prescan_streams, CSG_TEST(vcpu_threads_of_the_trace_are_known_after_it));
