/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "csguest/attribution.h"
#include "guest/level_watch.h"
#include "image/machine.h"
#include "recorded_walk.h"
#include "session/open/level_survey.h"
#include "suite.h"

static struct recorded_walk w;
static struct csg_image *image;
static struct csg_registry registry;

static void open_with(enum csg_hypervisor kind, bool guests)
{
	const struct csg_image_options options = {0};

	memset(&w, 0, sizeof(w));
	CU_ASSERT_FATAL(walk_init(&w.walk, 3, false, false, 500));
	recorded_walk_open(&w);
	CU_ASSERT_EQUAL_FATAL(csg_image_create(&image, &options, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(csg_registry_init(&registry, image, false, false), 0);
	csg_attribution_set_policy(registry.attribution, kind, false, guests);
}

static void open_all(enum csg_hypervisor kind)
{
	open_with(kind, true);
}

static void close_all(void)
{
	csg_registry_fini(&registry);
	csg_image_destroy(image);
	recorded_walk_close(&w);
}

/* All of them but the one left out, at 0xffff800080010100 and so on; a module has each as well. */
static void set_symbols(char *path, enum csg_level_anchor left_out)
{
	const struct csg_kernel_options kernel = {.kallsyms = path};
	FILE *f = fdopen(mkstemp(path), "w");

	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	fputs("ffff800080010000 T _text\nffff800080011000 T __guest_enter\n", f);
	for (unsigned int i = 0; i < CSG_LEVEL_ANCHOR_COUNT; i++) {
		const char *name = csg_level_anchor_name((enum csg_level_anchor)i);

		if (i != left_out)
			fprintf(f, "ffff800080010%x00 T %s\n", i + 1, name);
		fprintf(f, "ffff800079010%x00 t %s\t[module]\n", i + 1, name);
	}
	fclose(f);
	CU_ASSERT_EQUAL_FATAL(csg_machine_set_kernel(registry.host, &kernel), 0);
}

/* Whether a host with these symbols is surveyed, with the right addresses. */
static bool is_surveyed(enum csg_hypervisor kind, bool guests, enum csg_level_anchor left_out)
{
	char path[] = "/tmp/csguest-kallsyms-XXXXXX";
	struct csg_level_survey survey = {.registry = &registry, .ruled_out = true};
	bool surveyed;

	open_with(kind, guests);
	set_symbols(path, left_out);
	CU_ASSERT_EQUAL(csg_level_survey_init(&survey), 0);
	surveyed = survey.anchors;
	CU_ASSERT_EQUAL(survey.ruled_out,
			kind == CSG_HV_KVM_VHE && guests && left_out == CSG_LEVEL_FLUSH_AT);
	for (unsigned int i = 0; surveyed && i < CSG_LEVEL_ANCHOR_COUNT; i++)
		CU_ASSERT_EQUAL(survey.anchors[i],
				i == left_out ? 0 : 0xffff800080010000 + 0x100 * (i + 1));
	csg_level_survey_fini(&survey);
	close_all();
	unlink(path);
	return surveyed;
}

/* What comes of levels is seen in tests/scenarios. */
static void a_host_with_vhe_guests_and_kvms_symbols_is_surveyed(void)
{
	CU_ASSERT_TRUE(is_surveyed(CSG_HV_KVM_VHE, true, CSG_LEVEL_ANCHOR_COUNT));
	CU_ASSERT_FALSE(is_surveyed(CSG_HV_KVM_NVHE, true, CSG_LEVEL_ANCHOR_COUNT));
	CU_ASSERT_FALSE(is_surveyed(CSG_HV_KVM_VHE, false, CSG_LEVEL_ANCHOR_COUNT));
	for (unsigned int i = 0; i < CSG_LEVEL_ANCHOR_COUNT; i++)
		CU_ASSERT_EQUAL(is_surveyed(CSG_HV_KVM_VHE, true, (enum csg_level_anchor)i),
				!csg_level_anchor_is_needed((enum csg_level_anchor)i));
}

static void a_host_without_symbols_is_not_surveyed(void)
{
	struct csg_level_survey survey = {.registry = &registry};

	open_all(CSG_HV_KVM_VHE);
	CU_ASSERT_EQUAL(csg_level_survey_init(&survey), 0);
	CU_ASSERT_PTR_NULL(survey.anchors);
	CU_ASSERT_FALSE(survey.ruled_out);
	close_all();
}

static void code_without_calls_of_nested_guests_does_not_nest(void)
{
	uint64_t anchors[CSG_LEVEL_ANCHOR_COUNT] = {0};
	struct csg_level_survey survey = {.registry = &registry, .anchors = anchors};
	struct csg_switch_survey found = {0};
	size_t n;

	for (size_t i = 0; i < CSG_LEVEL_ANCHOR_COUNT; i++)
		anchors[i] = 16 * (i + 1);
	open_all(CSG_HV_KVM_VHE);
	survey.rec = w.rec;
	CU_ASSERT_EQUAL(csg_level_survey_source(&survey, csg_recording_sources(w.rec, &n), &found),
			0);
	CU_ASSERT_FALSE(survey.nests);
	for (size_t i = 0; i < found.level_count; i++)
		CU_ASSERT_EQUAL(found.levels[i].level, CSG_LEVEL_UNKNOWN);
	csg_switch_survey_fini(&found);
	free(survey.vms);
	close_all();
}

/* Whether a guest of which only the VM is known may be a guest's. */
static bool may_have_guests(int32_t vm)
{
	struct csg_owner owner = CSG_OWNER_UNKNOWN;

	owner.vm = vm;
	return csg_attribution_may_be_nested(registry.attribution, &owner);
}

/* Whether vm, which showed this, may have guests then; and VM 8, of which nothing is known. */
static bool vm_may_nest(int32_t number, bool plain, bool has_el2, bool nests, bool *other)
{
	struct csg_level_vm vm = {.vm = number, .plain = plain, .has_el2 = has_el2};
	struct csg_level_survey survey = {
		.registry = &registry, .nests = nests, .vms = &vm, .vm_count = 1};
	bool result;

	open_all(CSG_HV_KVM_VHE);
	CU_ASSERT_EQUAL(csg_level_survey_settle(&survey), 0);
	result = may_have_guests(number);
	*other = may_have_guests(8);
	/* That one may have guests does not show that it has. */
	CU_ASSERT_EQUAL(csg_level_survey_nesting(&registry), 0);
	close_all();
	return result;
}

static bool may_nest(bool plain, bool has_el2, bool nests, bool *other)
{
	return vm_may_nest(7, plain, has_el2, nests, other);
}

static void what_shows_that_guests_nest_is_listed(void)
{
	open_all(CSG_HV_KVM_VHE);
	CU_ASSERT_EQUAL(csg_level_survey_nesting(&registry), 0);
	registry.nested_ran = true;
	CU_ASSERT_EQUAL(csg_level_survey_nesting(&registry), CSG_NESTING_GUESTS);
	registry.nested_ran = false;
	CU_ASSERT_EQUAL(csg_attribution_vm_nests(registry.attribution, 7), 0);
	CU_ASSERT_EQUAL(csg_level_survey_nesting(&registry), CSG_NESTING_GUESTS);
	CU_ASSERT_TRUE(may_have_guests(7));
	CU_ASSERT_FALSE(may_have_guests(8));
	close_all();
}

static void a_vm_with_plain_vcpus_has_no_guests(void)
{
	bool other;

	CU_ASSERT_FALSE(may_nest(true, false, false, &other));
	CU_ASSERT_FALSE(other);
	CU_ASSERT_FALSE(may_nest(true, false, true, &other));
	CU_ASSERT_TRUE(other);
	CU_ASSERT_TRUE(may_nest(true, true, false, &other));
	CU_ASSERT_TRUE(may_nest(false, true, false, &other));
	CU_ASSERT_TRUE(may_nest(false, false, false, &other));
}

/* Entries of which the trace does not show the VM. */
static void unknown_vms_may_have_guests_as_well(void)
{
	bool other;

	CU_ASSERT_FALSE(vm_may_nest(CSG_VM_UNKNOWN, true, false, false, &other));
	CU_ASSERT_FALSE(other);
	CU_ASSERT_TRUE(vm_may_nest(CSG_VM_UNKNOWN, false, false, false, &other));
	CU_ASSERT_TRUE(other);
}

CSG_SUITE(session_open, level_survey, CSG_TEST(unknown_vms_may_have_guests_as_well),
	  CSG_TEST(a_host_with_vhe_guests_and_kvms_symbols_is_surveyed),
	  CSG_TEST(a_host_without_symbols_is_not_surveyed),
	  CSG_TEST(code_without_calls_of_nested_guests_does_not_nest),
	  CSG_TEST(what_shows_that_guests_nest_is_listed),
	  CSG_TEST(a_vm_with_plain_vcpus_has_no_guests));
