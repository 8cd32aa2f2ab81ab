/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include "capture.h"
#include "snapshot_dir.h"
#include "session/session.h"
#include "session/session_pull.h"
#include "explain/explain.h"
#include "lookup/lookup_session.h"

/* A-Sync; Trace Info; Trace On; address 0x1000 and context EL1 non-secure 64-bit; Atom E. */
static const uint8_t trace[] = {0, 0, 0, 0,    0, 0,	0, 0, 0,    0,	  0, 0x80,
				1, 0, 4, 0x82, 0, 0x08, 0, 0, 0x31, 0xf7, 0, 0};
static const uint8_t code[] = {0x1f, 0x20, 0x03, 0xd5, 0xc0, 0x03, 0x5f, 0xd6}; /* nop; ret */

static const char *explained(enum csg_hypervisor kind, bool with_code, bool json, uint64_t place)
{
	const struct csg_session_setup options = {
		.input = snapshot_dir, .hypervisor = kind, .only_trace_id = -1, .only_cpu = -1};
	struct csg_out *out = capture_begin();
	struct csg_form form;
	struct csg_explain x = {.form = &form};
	struct csg_evidence *evidence;
	struct csg_lookup lookup;
	struct csg_batch batch;
	size_t n;

	snapshot_make(trace, sizeof(trace), with_code ? code : NULL, sizeof(code));
	CU_ASSERT_EQUAL_FATAL(csg_session_begin(&x.session, &options, NULL), 0);
	lookup = csg_lookup_session(x.session);
	x.lookup = &lookup;
	x.stream = csg_session_streams(x.session, &n);
	CU_ASSERT_EQUAL_FATAL(csg_evidence_create(&evidence, x.session, place), 0);
	while (csg_session_pull(x.session, false, &batch) > 0)
		CU_ASSERT_EQUAL(csg_evidence_add(evidence, &batch, sizeof(batch)), 0);
	x.place = csg_evidence_finish(evidence);
	x.items = csg_evidence_at(evidence, 0);
	x.item_count = csg_evidence_count(evidence);
	csg_form_begin(&form, out, json);
	csg_explain_print(&x);
	csg_form_end(&form);
	capture_end(out);
	csg_evidence_destroy(evidence);
	csg_session_close(x.session);
	snapshot_remove();
	return captured;
}

static void has(const char *text, const char *part)
{
	CU_ASSERT_PTR_NOT_NULL(strstr(text, part));
	if (!strstr(text, part))
		fprintf(stderr, "no '%s' in:\n%s", part, text);
}

static void defaults_are_called_defaults(void)
{
	const char *text = explained(CSG_HV_NONE, true, false, 21);

	has(text, "host kernel");
	has(text, "instructions:      2");
	has(text, "EL1, non-secure, AArch64");
	has(text, "entered by:        trace was lost at index 14 (trace on)");
	has(text, "left by:           the trace ends");
	has(text, "policy default: the trace has no evidence; it is the default under none "
		  "(given by --hypervisor)");
	has(text, "whether the world is right");
}

static void what_is_unknown_has_a_remedy(void)
{
	const char *text = explained(CSG_HV_UNKNOWN, false, false, 21);

	has(text, "unknown: hypervisor kind not known");
	has(text, "Would settle it: say what the machine runs: --hypervisor");
}

static void levels_are_evidence(void)
{
	const char *text = explained(CSG_HV_XEN, true, false, 21);

	has(text, "exception level: EL1 belongs to the guest under xen (given by --hypervisor)");
	has(text, "VM: no VMID is traced, and nothing else identifies a domain");
}

static void json_holds_the_same(void)
{
	const char *text = explained(CSG_HV_NONE, true, true, 21);

	has(text, "\"owner\": \"host kernel\"");
	has(text, "\"world\": [");
	has(text, "\"policy default: the trace has no evidence");
	has(text, "\"timestamp_before\": null");
}

static void losses_say_what_was_lost(void)
{
	has(explained(CSG_HV_NONE, true, false, 14), "everything: trace on");
}

static void packets_are_shown_near_borders_only(void)
{
	const struct csg_evidence_place e = {.index = 500, .at = {.begin = 300, .end = 900}};

	CU_ASSERT(csg_explain_shows_packet(&e, 300));
	CU_ASSERT(csg_explain_shows_packet(&e, 490));
	CU_ASSERT(csg_explain_shows_packet(&e, 910));
	CU_ASSERT_FALSE(csg_explain_shows_packet(&e, 400));
	CU_ASSERT_FALSE(csg_explain_shows_packet(&e, 0));
	CU_ASSERT_FALSE(csg_explain_shows_packet(&e, UINT64_MAX));
}

CSG_SUITE(explain, explain, CSG_TEST(defaults_are_called_defaults),
	  CSG_TEST(what_is_unknown_has_a_remedy), CSG_TEST(levels_are_evidence),
	  CSG_TEST(json_holds_the_same), CSG_TEST(losses_say_what_was_lost),
	  CSG_TEST(packets_are_shown_near_borders_only));
