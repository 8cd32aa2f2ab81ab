/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include <string.h>

#include "capture.h"
#include "fake_lookup.h"
#include "snapshot_dir.h"
#include "session/session.h"
#include "evidence/items.h"
#include "explain/explain_why.h"

/* A-Sync; Trace Info; Trace On: enough for a session, which tells the policy and its reason. */
static const uint8_t trace[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 1, 0, 4, 0};

static struct csg_owner owner;
static struct csg_evidence_place ev;

static const struct csg_owner *the_owner(void *arg, uint32_t number)
{
	(void)arg;
	(void)number;
	return &owner;
}

static const char *why(void)
{
	const struct csg_session_setup options = {.input = snapshot_dir,
						  .hypervisor = CSG_HV_KVM_VHE,
						  .only_trace_id = -1,
						  .only_cpu = -1};
	const struct csg_lookup lookup = {.owner = the_owner};
	struct csg_out *out = capture_begin();
	struct csg_form form;
	struct csg_evidence_item items[CSG_EVIDENCE_ITEMS_MAX];
	struct csg_explain x = {.form = &form,
				.lookup = &lookup,
				.place = &ev,
				.items = items,
				.item_count = csg_evidence_items(&ev, &owner, items)};

	snapshot_make(trace, sizeof(trace), NULL, 0);
	CU_ASSERT_EQUAL_FATAL(csg_session_begin(&x.session, &options, NULL), 0);
	csg_form_begin(&form, out, false);
	csg_explain_why(&x);
	csg_form_end(&form);
	capture_end(out);
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

static void begin(enum csg_world world, uint32_t evidence)
{
	owner = CSG_OWNER_UNKNOWN;
	owner.world = (uint8_t)world;
	owner.reason = CSG_REASON_NONE;
	owner.evidence = evidence;
	owner.el = CSG_EL0;
	memset(&ev, 0, sizeof(ev));
	ev.at.exists = true;
}

static void the_neighbour_is_named(void)
{
	begin(CSG_WORLD_GUEST, CSG_EVIDENCE_NEIGHBOUR_EL);
	ev.before = (struct csg_evidence_segment){
		.exists = true, .el = CSG_EL1, .begin = 100, .end = 200};
	has(why(), "neighbouring EL: entered from EL1, where a guest ran from index 100 to 200");
	ev.before.el = CSG_EL2;
	ev.after = (struct csg_evidence_segment){.exists = true, .el = CSG_EL1, .begin = 300};
	has(why(), "left to EL1 at index 300");
}

static void the_vectors_are_named_with_where_they_were_learned(void)
{
	begin(CSG_WORLD_HOST, CSG_EVIDENCE_VECTOR_BASE);
	ev.after = (struct csg_evidence_segment){
		.exists = true, .has_first = true, .first = 0xb00c00, .entered.index = 77};
	ev.bases[0] = (struct csg_evidence_base){.base = 0xa00800, .guest = true, .guest_index = 9};
	ev.base_count = 1;
	has(why(), "left to EL2 at index 77 by an exception to 0xb00c00: vectors at 0xb00800, not "
		   "those at 0xa00800 that guests exit to on this CPU (learned at index 9)");
	begin(CSG_WORLD_GUEST, CSG_EVIDENCE_VECTOR_BASE);
	ev.after = (struct csg_evidence_segment){
		.exists = true, .has_first = true, .first = 0xa00c00, .entered.index = 77};
	has(why(), "KVM's own by their symbol");
}

static void every_evidence_has_words(void)
{
	for (uint32_t bit = 1; bit <= CSG_EVIDENCE_HVC_RETURN; bit <<= 1) {
		char name[64], item[80];

		begin(CSG_WORLD_HOST, bit);
		csg_evidence_text(bit, name, sizeof(name));
		snprintf(item, sizeof(item), "%s: ", name);
		has(why(), item);
	}
}

static void every_reason_has_a_remedy(void)
{
	for (int reason = 1; reason < CSG_REASON_COUNT; reason++) {
		begin(CSG_WORLD_UNKNOWN, 0);
		owner.reason = (uint8_t)reason;
		has(why(), csg_reason_text(reason));
		has(captured, ".  Would settle it: ");
	}
}

CSG_SUITE(explain, explain_why, CSG_TEST(the_neighbour_is_named),
	  CSG_TEST(the_vectors_are_named_with_where_they_were_learned),
	  CSG_TEST(every_evidence_has_words), CSG_TEST(every_reason_has_a_remedy));
