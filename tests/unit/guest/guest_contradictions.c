/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/guest_contradictions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "guest/attribution.h"
#include "guest/attribution_state.h"
#include "suite.h"

struct heard {
	char text[512];
	char remedy[128];
	unsigned int count;
};

struct rig {
	struct csg_attribution *attribution;
	struct csg_facts *facts;
	struct csg_guest_contradictions contradictions;
	struct heard heard;
};

static void hear(void *arg, const struct csg_diag *diag)
{
	struct heard *heard = arg;

	CU_ASSERT_EQUAL(diag->severity, CSG_WARNING);
	snprintf(heard->text, sizeof(heard->text), "%s", diag->text);
	snprintf(heard->remedy, sizeof(heard->remedy), "%s", diag->remedy ? diag->remedy : "");
	heard->count++;
}

static void begin(struct rig *r)
{
	const struct csg_attribution_options options = {.size = sizeof(options),
							.hypervisor = CSG_HV_KVM_VHE};

	*r = (struct rig){0};
	CU_ASSERT_EQUAL_FATAL(csg_attribution_create(&r->attribution, &options), 0);
	/* What streams find out is written into the facts here. */
	r->facts = &r->attribution->facts;
	r->facts->clocks.conv = (struct csg_time_conv){.valid = true, .mult = 1};
}

static void end(struct rig *r)
{
	csg_guest_contradictions_fini(&r->contradictions);
	csg_attribution_destroy(r->attribution);
}

static const char *name_of(const void *arg, int32_t vm)
{
	return vm == 500 ? arg : NULL;
}

/* How many messages come. */
static unsigned int tell(struct rig *r)
{
	const struct csg_diag_sink sink = {.report = hear, .arg = &r->heard};

	r->heard = (struct heard){.count = 0};
	CU_ASSERT_EQUAL(csg_guest_contradictions_report(&r->contradictions, r->attribution, name_of,
							"one", &sink),
			0);
	return r->heard.count;
}

static void see(struct rig *r, int32_t vm, int64_t low, int64_t high)
{
	const struct csg_offset_period seen = {.from = 5000000007,
					       .until = 5000000009,
					       .offset = {low, high},
					       .sources = CSG_OFFSET_BY_TRACE};

	CU_ASSERT_EQUAL(csg_offsets_observe(&r->facts->clocks.offsets, vm, &seen), 0);
}

static void an_offset_that_the_trace_contradicts_is_reported_once(void)
{
	struct rig r;

	begin(&r);
	CU_ASSERT_EQUAL(csg_attribution_offset(r.attribution, 500, 77), 0);
	see(&r, 500, 70, 80);
	CU_ASSERT_EQUAL(tell(&r), 0);
	see(&r, 500, 70, 75);
	CU_ASSERT_EQUAL(tell(&r), 1);
	CU_ASSERT_STRING_EQUAL(r.heard.text,
			       "CNTVOFF_EL2 of guest 'one' is not 77, as was said, and that is not "
			       "used: the trace's timestamps from 5.000000007 on have it between "
			       "70 and 75");
	CU_ASSERT_PTR_NOT_NULL(strstr(r.heard.remedy, "offset="));
	CU_ASSERT_EQUAL(tell(&r), 0);
	end(&r);
}

static const char *reported_bounds(int64_t low, int64_t high)
{
	static char text[512];
	struct rig r;

	begin(&r);
	CU_ASSERT_EQUAL(csg_attribution_offset(r.attribution, 600, 77), 0);
	see(&r, 600, low, high);
	CU_ASSERT_EQUAL(tell(&r), 1);
	snprintf(text, sizeof(text), "%s", r.heard.text);
	end(&r);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "of VM 600 is not 77"));
	return strstr(text, " on ") + 4;
}

static void bounds_are_reported_as_far_as_they_are_known(void)
{
	CU_ASSERT_STRING_EQUAL(reported_bounds(80, CSG_OFFSET_MAX), "have it at least 80");
	CU_ASSERT_STRING_EQUAL(reported_bounds(CSG_OFFSET_MIN, -8), "have it at most -8");
	CU_ASSERT_STRING_EQUAL(reported_bounds(90, 80), "contradict each other");
}

static void give_cpu(struct rig *r, struct csg_guest_cpu cpu)
{
	struct csg_facts_machine *guest = csg_facts_machine(r->facts, 500);

	CU_ASSERT_PTR_NOT_NULL_FATAL(guest);
	guest->cpus.cpus = malloc(sizeof(cpu));
	CU_ASSERT_PTR_NOT_NULL_FATAL(guest->cpus.cpus);
	guest->cpus.cpus[0] = cpu;
	guest->cpus.count = 1;
}

static void a_cpu_that_is_not_the_vcpu_of_its_number_is_reported(void)
{
	struct rig r;

	begin(&r);
	give_cpu(&r,
		 (struct csg_guest_cpu){
			 .cpu = 1, .namesake = 504, .tid = CSG_PID_UNKNOWN, .contradicted = true});
	CU_ASSERT_EQUAL(tell(&r), 1);
	CU_ASSERT_STRING_EQUAL(r.heard.text,
			       "what guest 'one' recorded on its CPU 1 happened while vCPU 1, "
			       "thread 504, did not run: its switches there do not count");
	CU_ASSERT_EQUAL(tell(&r), 0);
	end(&r);
	begin(&r);
	give_cpu(&r, (struct csg_guest_cpu){
			     .cpu = 1, .namesake = 504, .tid = 503, .contradicted = true});
	CU_ASSERT_EQUAL(tell(&r), 1);
	CU_ASSERT_PTR_NOT_NULL(strstr(r.heard.text, "it fits thread 503 alone"));
	end(&r);
}

static void a_number_that_several_have_is_reported(void)
{
	struct rig r;

	begin(&r);
	give_cpu(&r, (struct csg_guest_cpu){
			     .cpu = 0, .namesake = 504, .tid = CSG_PID_UNKNOWN, .disputed = true});
	CU_ASSERT_EQUAL(tell(&r), 1);
	CU_ASSERT_PTR_NOT_NULL(strstr(r.heard.text, "more than one thread is said to run vCPU 0"));
	CU_ASSERT_PTR_NOT_NULL(strstr(r.heard.remedy, "--vcpu"));
	end(&r);
}

static void what_nothing_contradicts_is_not_reported(void)
{
	struct rig r;

	begin(&r);
	give_cpu(&r, (struct csg_guest_cpu){.cpu = 0, .namesake = 503, .tid = 503});
	see(&r, 500, 70, 75);
	CU_ASSERT_EQUAL(tell(&r), 0);
	end(&r);
}

static void a_vmid_that_contradicts_is_reported_once(void)
{
	struct rig r;

	begin(&r);
	CU_ASSERT_EQUAL(tell(&r), 0);
	r.facts->disputed_vmid =
		(struct csg_vmid){.vmid = 5, .vm = 600, .former = 500, .disputed = true};
	CU_ASSERT_EQUAL(tell(&r), 1);
	CU_ASSERT_PTR_NOT_NULL(strstr(r.heard.text, "VMID 5 was of guest 'one', then of VM 600"));
	CU_ASSERT_PTR_NOT_NULL(strstr(r.heard.remedy, "contextid2"));
	CU_ASSERT_EQUAL(tell(&r), 0);
	end(&r);
}

static void a_vmid_that_xens_list_lacks_is_reported_once(void)
{
	struct csg_owner owner = {.world = CSG_WORLD_GUEST, .vm = 7};
	struct rig r;

	begin(&r);
	CU_ASSERT_EQUAL(csg_attribution_domain(r.attribution, 1, false), 0);
	CU_ASSERT_EQUAL(tell(&r), 0);
	csg_domains_check(&r.facts->domains, &owner);
	CU_ASSERT_EQUAL(tell(&r), 1);
	CU_ASSERT_PTR_NOT_NULL(strstr(r.heard.text, "VMID 7, which no domain in Xen's list has"));
	CU_ASSERT_EQUAL(tell(&r), 0);
	end(&r);
}

CSG_SUITE(guest, guest_contradictions,
	  CSG_TEST(an_offset_that_the_trace_contradicts_is_reported_once),
	  CSG_TEST(bounds_are_reported_as_far_as_they_are_known),
	  CSG_TEST(a_cpu_that_is_not_the_vcpu_of_its_number_is_reported),
	  CSG_TEST(a_number_that_several_have_is_reported),
	  CSG_TEST(a_vmid_that_contradicts_is_reported_once),
	  CSG_TEST(a_vmid_that_xens_list_lacks_is_reported_once),
	  CSG_TEST(what_nothing_contradicts_is_not_reported));
