/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "recorded_walk.h"
#include "session/open/choose.h"
#include "suite.h"

static struct recorded_walk w;

/* A walk through EL0 to EL2, of which the trace shows all but the levels in exclude_el. */
static void begin(uint8_t exclude_el, enum csg_enc_virtual virt)
{
	struct csg_enc_wander_options options = {.steps = 400};
	struct csg_enc_registers regs;

	memset(&w, 0, sizeof(w));
	w.walk.random.state = 12;
	csg_enc_model_init(&w.walk.model, false);
	w.walk.model.virt = virt;
	w.walk.model.exclude_el = exclude_el;
	csg_enc_wander_init(&w.walk.machine, &w.walk.random, false);
	csg_enc_wander_walk(&w.walk.machine, &w.walk.random, &options, &w.walk.path);
	csg_enc_etm_init(&w.walk.etm, &w.walk.model);
	csg_enc_model_registers(&w.walk.model, &regs);
	CU_ASSERT_FATAL(csg_enc_etm_path(&w.walk.etm, &w.walk.path) >= 0);
}

static uint64_t begins_at(const struct csg_enc_event *event)
{
	return event->kind == CSG_ENC_EXCEPTION ? event->exception.start : event->branch.start;
}

/* The same walk with a window's end and the beginning of another wherever EL2 is left. */
static void begin_with_windows_that_end_at_el2(bool ete)
{
	struct csg_enc_path cut = {0};
	uint8_t el = 0;
	bool off = false;

	begin(0, CSG_ENC_VIRTUAL_ABSENT);
	for (size_t i = 0; i < w.walk.path.count; i++) {
		const struct csg_enc_event *e = &w.walk.path.events[i];

		if (e->kind == CSG_ENC_CONTEXT && el == 2 && e->context.el != 2) {
			csg_enc_path_mark(&cut, CSG_ENC_OFF, 0, 0);
			off = true;
		} else if (off && (e->kind == CSG_ENC_BRANCH || e->kind == CSG_ENC_EXCEPTION)) {
			csg_enc_path_mark(&cut, CSG_ENC_ON, 0, begins_at(e));
			off = false;
		}
		if (e->kind == CSG_ENC_CONTEXT)
			el = e->context.el;
		csg_enc_path_add(&cut, e);
	}
	csg_enc_etm_fini(&w.walk.etm);
	csg_enc_model_init(&w.walk.model, ete);
	w.walk.model.virt = CSG_ENC_VIRTUAL_ABSENT;
	csg_enc_etm_init(&w.walk.etm, &w.walk.model);
	CU_ASSERT_FATAL(csg_enc_etm_path(&w.walk.etm, &cut) >= 0);
	csg_enc_path_fini(&cut);
}

static struct csg_choice choose(void)
{
	struct csg_choice choice = {0};

	recorded_walk_open(&w);
	CU_ASSERT_EQUAL(csg_choose_hypervisor(w.rec, &choice), 0);
	CU_ASSERT(choice.why && strlen(choice.why) > 5);
	recorded_walk_close(&w);
	return choice;
}

#define EL(n) (1u << (n))

/* What contradicts kind; "" for nothing. */
static const char *contradicts(enum csg_hypervisor kind)
{
	const char *why = "x";

	recorded_walk_open(&w);
	CU_ASSERT_EQUAL(csg_contradict_hypervisor(w.rec, kind, &why), 0);
	recorded_walk_close(&w);
	return why ? why : "";
}

#define SAYS(text, word) CU_ASSERT_PTR_NOT_NULL(strstr(text, word))

static void what_a_user_says_is_contradicted_by_the_exception_levels_that_ran(void)
{
	begin(EL(2), CSG_ENC_VIRTUAL_ABSENT);
	SAYS(contradicts(CSG_HV_KVM_VHE), "EL2, where the host's kernel would be, did not");
	begin(EL(2), CSG_ENC_VIRTUAL_ABSENT);
	CU_ASSERT_STRING_EQUAL(contradicts(CSG_HV_NONE), "");
	begin(EL(2), CSG_ENC_VIRTUAL_ABSENT);
	CU_ASSERT_STRING_EQUAL(contradicts(CSG_HV_KVM_NVHE), "");
	begin(0, CSG_ENC_VIRTUAL_ABSENT);
	CU_ASSERT_STRING_EQUAL(contradicts(CSG_HV_KVM_VHE), "");
	begin(0, CSG_ENC_VIRTUAL_ABSENT);
	SAYS(contradicts(CSG_HV_NONE), "EL2 runs");
	begin(0, CSG_ENC_VIRTUAL_ABSENT);
	CU_ASSERT_STRING_EQUAL(contradicts(CSG_HV_UNKNOWN), "");
}

static void what_was_not_recorded_contradicts_nothing(void)
{
	begin(EL(2), CSG_ENC_VIRTUAL_ABSENT);
	w.attr_flags = CSG_ENC_ATTR_EXCLUDE_KERNEL;
	CU_ASSERT_STRING_EQUAL(contradicts(CSG_HV_KVM_VHE), "");
	begin(EL(1) | EL(2), CSG_ENC_VIRTUAL_ABSENT);
	CU_ASSERT_STRING_EQUAL(contradicts(CSG_HV_KVM_VHE), "");
}

static void context_ids_and_guests_contradict_other_hypervisors(void)
{
	for (int kind = CSG_HV_KVM_NVHE; kind <= CSG_HV_XEN; kind++) {
		begin(EL(2), CSG_ENC_VIRTUAL_CONTEXTIDR2);
		SAYS(contradicts((enum csg_hypervisor)kind), "CONTEXTIDR_EL2");
	}
	begin(EL(2), CSG_ENC_VIRTUAL_ABSENT);
	w.comm = "CPU 0/KVM";
	SAYS(contradicts(CSG_HV_XEN), "vCPU threads");
	begin(EL(2), CSG_ENC_VIRTUAL_ABSENT);
	w.comm = "CPU 0/KVM";
	SAYS(contradicts(CSG_HV_NONE), "vCPU threads");
	begin(EL(2), CSG_ENC_VIRTUAL_ABSENT);
	w.comm = "CPU 0/KVM";
	CU_ASSERT_STRING_EQUAL(contradicts(CSG_HV_PKVM), "");
}

static void contextidr_el2_recorded_proves_vhe(void)
{
	begin(EL(1) | EL(2), CSG_ENC_VIRTUAL_CONTEXTIDR2);
	CU_ASSERT_EQUAL(choose().kind, CSG_HV_KVM_VHE);
}

static void el2_in_the_trace_proves_vhe(void)
{
	begin(0, CSG_ENC_VIRTUAL_ABSENT);
	CU_ASSERT_EQUAL(choose().kind, CSG_HV_KVM_VHE);
}

static void atoms_at_el2_prove_vhe(void)
{
	begin_with_windows_that_end_at_el2(false);
	w.comm = "CPU 0/KVM";
	CU_ASSERT_EQUAL(choose().kind, CSG_HV_KVM_VHE);
	/* ETE has no Exception Return packet: atoms alone prove it. */
	begin_with_windows_that_end_at_el2(true);
	w.comm = "CPU 0/KVM";
	CU_ASSERT_EQUAL(choose().kind, CSG_HV_KVM_VHE);
}

static void without_el2_and_without_signs_of_guests_there_are_none(void)
{
	begin(EL(2), CSG_ENC_VIRTUAL_ABSENT);
	CU_ASSERT_EQUAL(choose().kind, CSG_HV_NONE);
}

static void a_vcpu_thread_without_el2_proves_that_the_kernel_is_at_el1(void)
{
	begin(EL(2), CSG_ENC_VIRTUAL_ABSENT);
	w.comm = "CPU 0/KVM";
	CU_ASSERT_EQUAL(choose().kind, CSG_HV_KVM_NVHE);
}

static void a_vcpu_thread_without_any_kernel_leaves_it_open(void)
{
	begin(EL(1) | EL(2), CSG_ENC_VIRTUAL_ABSENT);
	w.comm = "CPU 0/KVM";
	CU_ASSERT_EQUAL(choose().kind, CSG_HV_UNKNOWN);
	begin(EL(2), CSG_ENC_VIRTUAL_ABSENT);
	w.comm = "CPU 0/KVM";
	w.attr_flags = CSG_ENC_ATTR_EXCLUDE_HOST;
	CU_ASSERT_EQUAL(choose().kind, CSG_HV_UNKNOWN);
}

static void a_vcpu_thread_is_a_sign_of_guests(void)
{
	begin(0, CSG_ENC_VIRTUAL_CONTEXTIDR2);
	CU_ASSERT_FALSE(choose().guests);
	begin(0, CSG_ENC_VIRTUAL_CONTEXTIDR2);
	w.comm = "CPU 0/KVM";
	CU_ASSERT(choose().guests);
}

static void el1_in_a_recording_without_kernel_leaves_it_open(void)
{
	begin(EL(2), CSG_ENC_VIRTUAL_ABSENT);
	w.attr_flags = CSG_ENC_ATTR_EXCLUDE_KERNEL;
	CU_ASSERT_EQUAL(choose().kind, CSG_HV_UNKNOWN);
}

static void user_code_alone_shows_no_guest(void)
{
	begin(EL(1) | EL(2), CSG_ENC_VIRTUAL_ABSENT);
	w.attr_flags = CSG_ENC_ATTR_EXCLUDE_KERNEL;
	CU_ASSERT_EQUAL(choose().kind, CSG_HV_NONE);
}

CSG_SUITE(session_open, choose,
	  CSG_TEST(what_a_user_says_is_contradicted_by_the_exception_levels_that_ran),
	  CSG_TEST(what_was_not_recorded_contradicts_nothing),
	  CSG_TEST(context_ids_and_guests_contradict_other_hypervisors),
	  CSG_TEST(contextidr_el2_recorded_proves_vhe), CSG_TEST(el2_in_the_trace_proves_vhe),
	  CSG_TEST(atoms_at_el2_prove_vhe),
	  CSG_TEST(without_el2_and_without_signs_of_guests_there_are_none),
	  CSG_TEST(a_vcpu_thread_without_el2_proves_that_the_kernel_is_at_el1),
	  CSG_TEST(a_vcpu_thread_without_any_kernel_leaves_it_open),
	  CSG_TEST(a_vcpu_thread_is_a_sign_of_guests),
	  CSG_TEST(el1_in_a_recording_without_kernel_leaves_it_open),
	  CSG_TEST(user_code_alone_shows_no_guest));
