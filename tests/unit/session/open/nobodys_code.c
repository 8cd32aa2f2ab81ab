/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/open/nobodys_code.h"

#include <stdlib.h>

#include "image/world.h"
#include "suite.h"

#define HAD 0x10000
#define NOBODYS 0x91000000

static const struct csg_owner user = {
	.world = CSG_WORLD_HOST, .privilege = CSG_USER, .evidence = CSG_EVIDENCE_VECTOR_BASE};

static void code_at(struct csg_nobodys_code *c, const struct csg_owner *owner, uint64_t index,
		    uint64_t address)
{
	const struct csg_element e = {
		.kind = CSG_ELEMENT_GAP, .gap = CSG_GAP_NO_OWNER, .index = index, .start = address};

	CU_ASSERT_EQUAL(csg_nobodys_code_see(c, &e, owner), 0);
}

static void stamp_at(struct csg_nobodys_code *c, uint64_t index, uint64_t timestamp)
{
	const struct csg_element e = {
		.kind = CSG_ELEMENT_TIMESTAMP, .index = index, .timestamp = timestamp};

	CU_ASSERT_EQUAL(csg_nobodys_code_see(c, &e, &user), 0);
}

/* A process of the host has one page. */
static void begin(struct world *w, struct csg_nobodys_code *c)
{
	struct csg_image_options options = {.buildid_dir = "", .symfs = scratch_begin(&w->scratch)};
	struct csg_event event = map_event(5, HAD, 0x1000, "/x", NULL, 1);

	world_begin(w, &options);
	csg_machine_event(w->machine, &event);
	csg_nobodys_code_init(c, w->machine);
	csg_nobodys_code_begin(c, 100);
}

static void end(struct world *w, struct csg_nobodys_code *c)
{
	free(c->losses.losses);
	world_end(w);
}

static void user_code_where_nothing_was_mapped_shows_a_loss(void)
{
	struct world w = {0};
	struct csg_nobodys_code c;

	begin(&w, &c);
	stamp_at(&c, 110, 0x20000);
	stamp_at(&c, 120, 0x20001);
	code_at(&c, &user, 130, HAD);
	CU_ASSERT_EQUAL(c.losses.count, 0);
	code_at(&c, &user, 140, NOBODYS);
	CU_ASSERT_EQUAL_FATAL(c.losses.count, 1);
	CU_ASSERT_EQUAL(c.losses.losses[0].begin, 110);
	CU_ASSERT_EQUAL(c.losses.losses[0].end, 140);
	end(&w, &c);
}

static void it_is_one_loss_until_a_timestamp_has_changed_its_upper_bits(void)
{
	struct world w = {0};
	struct csg_nobodys_code c;

	begin(&w, &c);
	code_at(&c, &user, 140, NOBODYS);
	stamp_at(&c, 150, 0x20000);
	code_at(&c, &user, 160, NOBODYS);
	CU_ASSERT_EQUAL_FATAL(c.losses.count, 2);
	CU_ASSERT_EQUAL(c.losses.losses[0].begin, 100);
	CU_ASSERT_EQUAL(c.losses.losses[0].end, 140);
	stamp_at(&c, 170, 0x20001);
	code_at(&c, &user, 180, HAD);
	code_at(&c, &user, 190, NOBODYS);
	CU_ASSERT_EQUAL_FATAL(c.losses.count, 2);
	CU_ASSERT_EQUAL(c.losses.losses[1].begin, 150);
	CU_ASSERT_EQUAL(c.losses.losses[1].end, 190);
	end(&w, &c);
}

static void other_code_shows_none(void)
{
	struct csg_owner owner = user;
	struct csg_nobodys_code c;
	struct world w = {0};

	begin(&w, &c);
	owner.evidence = CSG_EVIDENCE_POLICY_DEFAULT;
	code_at(&c, &owner, 140, NOBODYS);
	owner = user;
	owner.world = CSG_WORLD_GUEST;
	code_at(&c, &owner, 150, NOBODYS);
	owner = user;
	owner.privilege = CSG_KERNEL;
	code_at(&c, &owner, 160, NOBODYS);
	CU_ASSERT_EQUAL(c.losses.count, 0);
	end(&w, &c);
}

CSG_SUITE(session_open, nobodys_code, CSG_TEST(user_code_where_nothing_was_mapped_shows_a_loss),
	  CSG_TEST(it_is_one_loss_until_a_timestamp_has_changed_its_upper_bits),
	  CSG_TEST(other_code_shows_none));
