/* SPDX-License-Identifier: BSD-3-Clause */
/* The bundled recording. */
#include "session/open/kernel_sampler.h"

#include "fixture.h"
#include "image/image.h"
#include "image/machine.h"
#include "suite.h"

struct town {
	struct csg_sampled_trace trace;
	struct csg_registry registry;
	struct csg_image *image;
};

static void settle(struct town *t, enum csg_hypervisor kind)
{
	const struct csg_image_options none = {.buildid_dir = ""};
	const struct csg_kernel_options options = {.vmlinux = FIXTURE_DIR "host/vmlinux"};

	*t = (struct town){.trace = {.kind = kind, .guests = true, .registry = &t->registry}};
	CU_ASSERT_EQUAL_FATAL(
		csg_recording_load(&t->trace.rec, FIXTURE_DIR "perf.data", NULL, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(csg_image_create(&t->image, &none, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(csg_registry_init(&t->registry, t->image, false, true), 0);
	CU_ASSERT_EQUAL_FATAL(csg_machine_set_kernel(t->registry.host, &options), 0);
}

static void leave(struct town *t)
{
	csg_registry_fini(&t->registry);
	csg_image_destroy(t->image);
	csg_recording_close(t->trace.rec);
}

static void what_was_compared_says_the_same_again(void)
{
	struct csg_code_bouts traced = {0}, known = {0};
	struct csg_kernel_sample sample = {.vm = CSG_VM_HOST};
	struct town t;

	settle(&t, CSG_HV_KVM_VHE);
	CU_ASSERT_EQUAL(
		csg_kernel_sampler_take(&t.trace, t.registry.host, CSG_VM_HOST, &traced, &sample),
		0);
	CU_ASSERT_EQUAL(csg_code_bouts_verdict(&traced), CSG_CODE_AGREES);
	CU_ASSERT_TRUE(sample.count > 0);
	CU_ASSERT_TRUE(sample.count <= csg_code_sample_places(&traced.all));
	csg_kernel_sampler_take_known(&t.trace, t.registry.host, &sample, &known);
	CU_ASSERT_EQUAL(csg_code_bouts_verdict(&known), CSG_CODE_AGREES);
	CU_ASSERT_EQUAL(csg_code_sample_places(&known.all), csg_code_sample_places(&traced.all));
	leave(&t);
}

static void the_level_says_it_of_a_vhe_host_alone(void)
{
	struct town t;

	settle(&t, CSG_HV_KVM_VHE);
	CU_ASSERT_TRUE(csg_sampled_trace_level_says(&t.trace));
	t.trace.kind = CSG_HV_KVM_NVHE;
	CU_ASSERT_FALSE(csg_sampled_trace_level_says(&t.trace));
	t.trace.guests = false;
	CU_ASSERT_TRUE(csg_sampled_trace_level_says(&t.trace));
	t.trace.guests = true;
	t.trace.kind = CSG_HV_UNKNOWN;
	CU_ASSERT_FALSE(csg_sampled_trace_is_everybodys(&t.trace));
	t.trace.snapshot = true;
	CU_ASSERT_TRUE(csg_sampled_trace_is_everybodys(&t.trace));
	CU_ASSERT_TRUE(csg_sampled_trace_level_says(&t.trace));
	leave(&t);
}

CSG_SUITE(session_open, kernel_sampler, CSG_TEST(what_was_compared_says_the_same_again),
	  CSG_TEST(the_level_says_it_of_a_vhe_host_alone));
