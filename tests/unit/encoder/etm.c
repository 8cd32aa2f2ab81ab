/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <string.h>

#include "encoder/etm.h"
#include "suite.h"

#define HOST 0xffff800080001000
#define GUEST 0xffffffc008000000
#define USER 0x400000

static const struct csg_enc_context host = {.el = 2, .contextidr_el2 = 0x1007};
static const struct csg_enc_context guest = {.el = 1, .guest = true, .contextidr_el2 = 0x1007};
static const struct csg_enc_context user = {.el = 0, .contextidr_el2 = 0x1007};

/* Does the path become these bytes, after the synchronisation it starts with? */
static bool becomes(const struct csg_enc_model *m, struct csg_enc_path *path, const void *bytes,
		    size_t size)
{
	size_t skip = 12 + 3;
	struct csg_enc_etm etm;
	bool same;

	csg_enc_etm_init(&etm, m);
	same = !csg_enc_etm_path(&etm, path) && etm.out.size == size + skip &&
	       !memcmp(etm.out.data + skip, bytes, size);
	for (size_t i = skip; !same && i < etm.out.size; i++)
		fprintf(stderr, "%02x ", etm.out.data[i]);
	csg_enc_etm_fini(&etm);
	csg_enc_path_fini(path);
	return same;
}

#define BECOMES(m, path, ...)                                                                      \
	CU_ASSERT(becomes(m, path, (uint8_t[]){__VA_ARGS__}, sizeof((uint8_t[]){__VA_ARGS__})))

/* A unit whose trace is easy to read: no IDs, no time, no compression but what is asked. */
static struct csg_enc_model plain(void)
{
	struct csg_enc_model m;

	csg_enc_model_init(&m, false);
	m.virt = CSG_ENC_VIRTUAL_ABSENT;
	m.clock = CSG_ENC_CLOCK_NONE;
	return m;
}

static void begin(struct csg_enc_path *path, const struct csg_enc_context *context,
		  uint64_t address)
{
	csg_enc_path_context(path, context);
	csg_enc_path_mark(path, CSG_ENC_ON, 0, address);
}

/*
 * The beginning of a recording of a Neoverse N1 (N1SDP, `perf record -e cs_etm//u`,
 * github germangb/data-1, Apache-2.0): user only, CONTEXTIDR_EL2, dense timestamps.
 */
static void a_neoverse_n1_would_send_the_same(void)
{
	static const struct csg_enc_context el0 = {.el = 0, .contextidr_el2 = 0x40d03};
	static const struct csg_enc_context el2 = {.el = 2, .contextidr_el2 = 0x40d03};
	const uint64_t vector = 0xffff800008082c00;
	struct csg_enc_model m;
	struct csg_enc_path p = {0};

	csg_enc_model_init(&m, false);
	m.clock = CSG_ENC_CLOCK_PHYSICAL;
	m.no_time_at_sync = true;
	m.full_addresses = true;
	m.exclude_el = 1 << 1 | 1 << 2;
	begin(&p, &el0, 0x400570);
	csg_enc_path_branch(&p, CSG_ENC_DIRECT, 0x400570, 0x400574, true, 0x400960);
	csg_enc_path_time(&p, 0x79cf2fe5c4f7100, 0);
	csg_enc_path_exception(&p, CSG_ENC_EXC_DATA_FAULT, 0x400960, 0x400964, vector);
	csg_enc_path_context(&p, &el2);
	csg_enc_path_time(&p, 0x79cf2fe5c57e000, 0);
	csg_enc_path_branch(&p, CSG_ENC_ERET, vector, vector + 4, true, 0x400964);
	csg_enc_path_context(&p, &el0);
	csg_enc_path_branch(&p, CSG_ENC_DIRECT, 0x400964, 0x400968, true, 0x400980);
	csg_enc_path_time(&p, 0x79cf2fe5cb75000, 0);
	csg_enc_path_exception(&p, CSG_ENC_EXC_DATA_FAULT, 0x400980, 0x4009b4, vector);
	csg_enc_path_context(&p, &el2);
	csg_enc_path_time(&p, 0x79cf2fe5cb81000, 0);
	BECOMES(&m, &p, 0x04, 0x85, 0x5c, 0x02, 0x40, 0x00, 0x00, 0x00, 0x00, 0x00, 0x70, 0x03,
		0x0d, 0x04, 0x00, 0xf7, 0x02, 0x80, 0xe2, 0xbd, 0xe2, 0xe5, 0xdf, 0xbc, 0xce, 0x07,
		0x06, 0x19, 0x9d, 0x59, 0x04, 0x40, 0x00, 0x00, 0x00, 0x00, 0x00, 0x85, 0x00, 0x16,
		0x08, 0x08, 0x00, 0x80, 0xff, 0xff, 0x32, 0x02, 0x80, 0xc0, 0x5f, 0x04, 0x85, 0x59,
		0x04, 0x40, 0x00, 0x00, 0x00, 0x00, 0x00, 0x70, 0x03, 0x0d, 0x04, 0x00, 0xf7, 0x02,
		0x80, 0xa0, 0xdd, 0x65, 0x06, 0x19, 0x9d, 0x6d, 0x04, 0x40, 0x00, 0x00, 0x00, 0x00,
		0x00, 0x85, 0x00, 0x16, 0x08, 0x08, 0x00, 0x80, 0xff, 0xff, 0x32, 0x02, 0x80, 0xa0,
		0x60);
}

static struct csg_enc_path guest_entry(void)
{
	struct csg_enc_path p = {0};

	begin(&p, &host, HOST);
	csg_enc_path_branch(&p, CSG_ENC_ERET, HOST, HOST + 8, true, GUEST);
	csg_enc_path_context(&p, &guest);
	csg_enc_path_branch(&p, CSG_ENC_DIRECT, GUEST, GUEST + 4, true, GUEST);
	return p;
}

static void an_exception_return_comes_before_its_target_or_after(void)
{
	struct csg_enc_model m = plain();
	struct csg_enc_path p = guest_entry();

	BECOMES(&m, &p, 0x04, 0x85, 0, 0x08, 0x00, 0x80, 0x00, 0x80, 0xff, 0xff, 0x32, 0xf7, 0x07,
		0x85, 0, 0, 0x00, 0x08, 0xc0, 0xff, 0xff, 0xff, 0x31, 0xf7);
	m.address_before_eret = true;
	p = guest_entry();
	BECOMES(&m, &p, 0x04, 0x85, 0, 0x08, 0x00, 0x80, 0x00, 0x80, 0xff, 0xff, 0x32, 0xf7, 0x85,
		0, 0, 0x00, 0x08, 0xc0, 0xff, 0xff, 0xff, 0x31, 0x07, 0xf7);
}

static void ete_has_no_exception_return(void)
{
	struct csg_enc_model m = plain();
	struct csg_enc_path p = guest_entry();

	m.ete = true;
	BECOMES(&m, &p, 0x04, 0x85, 0, 0x08, 0x00, 0x80, 0x00, 0x80, 0xff, 0xff, 0x32, 0xf7, 0x85,
		0, 0, 0x00, 0x08, 0xc0, 0xff, 0xff, 0xff, 0x31, 0xf7);
}

/* Off and on again in the same context. */
static struct csg_enc_path gap(void)
{
	struct csg_enc_path p = {0};

	begin(&p, &user, USER);
	csg_enc_path_branch(&p, CSG_ENC_DIRECT, USER, USER + 4, true, USER);
	csg_enc_path_mark(&p, CSG_ENC_OFF, 0, 0);
	csg_enc_path_mark(&p, CSG_ENC_ON, 0, USER);
	csg_enc_path_branch(&p, CSG_ENC_DIRECT, USER, USER + 4, true, USER);
	return p;
}

static void a_context_after_trace_on_is_full_short_same_or_omitted(void)
{
	struct csg_enc_model m = plain();
	struct csg_enc_path p = gap();

	m.virt = CSG_ENC_VIRTUAL_CONTEXTIDR2;
	BECOMES(&m, &p, 0x04, 0x82, 0, 0, 0x40, 0, 0x70, 0x07, 0x10, 0, 0, 0xf7, 0x04, 0x82, 0, 0,
		0x40, 0, 0x70, 0x07, 0x10, 0, 0, 0xf7);
	m.after_on = CSG_ENC_AFTER_ON_SHORT;
	p = gap();
	BECOMES(&m, &p, 0x04, 0x82, 0, 0, 0x40, 0, 0x70, 0x07, 0x10, 0, 0, 0xf7, 0x04, 0x82, 0, 0,
		0x40, 0, 0x30, 0xf7);
	m.after_on = CSG_ENC_AFTER_ON_SAME;
	p = gap();
	BECOMES(&m, &p, 0x04, 0x82, 0, 0, 0x40, 0, 0x70, 0x07, 0x10, 0, 0, 0xf7, 0x04, 0x90, 0x80,
		0xf7);
	m.after_on = CSG_ENC_AFTER_ON_OMITTED;
	p = gap();
	BECOMES(&m, &p, 0x04, 0x82, 0, 0, 0x40, 0, 0x70, 0x07, 0x10, 0, 0, 0xf7, 0x04, 0x90, 0xf7);
}

static void an_exception_at_a_target_shares_its_address(void)
{
	struct csg_enc_model m = plain();
	struct csg_enc_path p = {0};

	begin(&p, &user, USER);
	csg_enc_path_branch(&p, CSG_ENC_INDIRECT, USER, USER + 4, true, USER + 0x40);
	csg_enc_path_exception(&p, CSG_ENC_EXC_INST_FAULT, USER + 0x40, USER + 0x40, USER + 0x80);
	BECOMES(&m, &p, 0x04, 0x82, 0, 0, 0x40, 0, 0x30, 0xf7, 0x06, 0x56, 0x95, 0x10, 0x95, 0x20);
	m.no_shared_address = true;
	begin(&p, &user, USER);
	csg_enc_path_branch(&p, CSG_ENC_INDIRECT, USER, USER + 4, true, USER + 0x40);
	csg_enc_path_exception(&p, CSG_ENC_EXC_INST_FAULT, USER + 0x40, USER + 0x40, USER + 0x80);
	BECOMES(&m, &p, 0x04, 0x82, 0, 0, 0x40, 0, 0x30, 0xf7, 0x95, 0x10, 0x06, 0x17, 0x90, 0x95,
		0x20);
}

static struct csg_enc_path call(void)
{
	struct csg_enc_path p = {0};

	begin(&p, &user, USER);
	csg_enc_path_branch(&p, CSG_ENC_DIRECT_CALL, USER, USER + 4, true, USER + 0x40);
	csg_enc_path_branch(&p, CSG_ENC_RET, USER + 0x40, USER + 0x44, true, USER + 4);
	csg_enc_path_branch(&p, CSG_ENC_DIRECT, USER + 4, USER + 8, false, 0);
	return p;
}

static void the_return_stack_makes_addresses_needless(void)
{
	struct csg_enc_model m = plain();
	struct csg_enc_path p = call();

	BECOMES(&m, &p, 0x04, 0x82, 0, 0, 0x40, 0, 0x30, 0xdb, 0x95, 0x01, 0xf6);
	m.return_stack = true;
	p = call();
	BECOMES(&m, &p, 0x04, 0x82, 0, 0, 0x40, 0, 0x30, 0xfb);
}

static void branch_broadcast_gives_every_target(void)
{
	struct csg_enc_model m = plain();
	struct csg_enc_path p = call();

	m.branch_broadcast = m.return_stack = true;
	BECOMES(&m, &p, 0x04, 0x82, 0, 0, 0x40, 0, 0x30, 0xf7, 0x95, 0x10, 0xf7, 0x95, 0x01, 0xf6);
}

static void a_context_alone_follows_an_isb(void)
{
	struct csg_enc_model m = plain();
	struct csg_enc_context other = host;
	struct csg_enc_path p = {0};

	m.virt = CSG_ENC_VIRTUAL_CONTEXTIDR2;
	other.contextidr_el2 = 0x2c8;
	begin(&p, &host, HOST);
	csg_enc_path_branch(&p, CSG_ENC_ISB, HOST, HOST + 4, true, HOST + 4);
	csg_enc_path_context(&p, &other);
	csg_enc_path_branch(&p, CSG_ENC_DIRECT, HOST + 4, HOST + 8, true, HOST);
	BECOMES(&m, &p, 0x04, 0x85, 0, 0x08, 0x00, 0x80, 0x00, 0x80, 0xff, 0xff, 0x72, 0x07, 0x10,
		0, 0, 0xf7, 0x81, 0x72, 0xc8, 0x02, 0, 0, 0xf7);
}

static void an_overflow_is_followed_by_a_synchronisation(void)
{
	struct csg_enc_model m = plain();
	struct csg_enc_path p = {0};

	begin(&p, &user, USER);
	csg_enc_path_branch(&p, CSG_ENC_DIRECT, USER, USER + 4, true, USER);
	csg_enc_path_mark(&p, CSG_ENC_OVERFLOW, 0, USER + 0x40);
	csg_enc_path_branch(&p, CSG_ENC_DIRECT, USER + 0x40, USER + 0x44, true, USER);
	BECOMES(&m, &p, 0x04, 0x82, 0, 0, 0x40, 0, 0x30, 0xf7, 0x00, 0x05, 0, 0, 0, 0, 0, 0, 0, 0,
		0, 0, 0, 0x80, 0x01, 0x01, 0x00, 0x04, 0x82, 0x10, 0, 0x40, 0, 0x30, 0xf7);
}

static void a_wrong_path_is_cancelled(void)
{
	struct csg_enc_model m = plain();
	struct csg_enc_path p = {0};

	m.max_spec = 8;
	begin(&p, &user, USER);
	csg_enc_path_branch(&p, CSG_ENC_DIRECT, USER, USER + 4, false, 0);
	csg_enc_path_mark(&p, CSG_ENC_WRONG_PATH, 1, USER + 0x40);
	csg_enc_path_branch(&p, CSG_ENC_DIRECT, USER + 0x40, USER + 0x44, false, 0);
	csg_enc_path_branch(&p, CSG_ENC_DIRECT, USER + 0x44, USER + 0x48, false, 0);
	csg_enc_path_branch(&p, CSG_ENC_DIRECT, USER + 0x48, USER + 0x4c, false, 0);
	csg_enc_path_mark(&p, CSG_ENC_CANCEL, 0, 0);
	csg_enc_path_branch(&p, CSG_ENC_DIRECT, USER + 4, USER + 8, true, USER);
	BECOMES(&m, &p, 0x04, 0x82, 0, 0, 0x40, 0, 0x30, 0xf7, 0xf8, 0x3a, 0xf7, 0x2d, 0x02);
}

static void a_return_on_a_wrong_path_never_happened(void)
{
	struct csg_enc_model m = plain();
	struct csg_enc_path p = {0};

	m.ete = m.return_stack = true;
	m.max_spec = 8;
	begin(&p, &user, USER);
	csg_enc_path_branch(&p, CSG_ENC_DIRECT_CALL, USER, USER + 4, true, USER + 0x40);
	csg_enc_path_branch(&p, CSG_ENC_DIRECT, USER + 0x40, USER + 0x44, false, 0);
	csg_enc_path_mark(&p, CSG_ENC_WRONG_PATH, 1, USER + 0x80);
	csg_enc_path_branch(&p, CSG_ENC_RET, USER + 0x80, USER + 0x84, true, USER + 4);
	csg_enc_path_mark(&p, CSG_ENC_CANCEL, 0, 0);
	csg_enc_path_mark(&p, CSG_ENC_TRANSACTION, CSG_ENC_TRANSACTION_FAIL, USER + 0x100);
	csg_enc_path_branch(&p, CSG_ENC_RET, USER + 0x100, USER + 0x104, true, USER + 4);
	BECOMES(&m, &p, 0x04, 0x82, 0, 0, 0x40, 0, 0x30, 0xdb, 0x35, 0x06, 0x30, 0x00, 0x9a, 0x40,
		0x00, 0x40, 0x00, 0xf7, 0x2d, 0x03);
}

static void source_addresses_stand_for_atoms(void)
{
	struct csg_enc_model m = plain();
	struct csg_enc_path p = {0};

	m.ete = true;
	m.source = CSG_ENC_SOURCE_ALWAYS;
	begin(&p, &user, USER);
	csg_enc_path_branch(&p, CSG_ENC_DIRECT, USER, USER + 4, false, 0);
	csg_enc_path_branch(&p, CSG_ENC_DIRECT, USER + 4, USER + 8, true, USER + 0x40);
	csg_enc_path_branch(&p, CSG_ENC_DIRECT, USER + 0x40, USER + 0x44, false, 0);
	BECOMES(&m, &p, 0x04, 0x82, 0, 0, 0x40, 0, 0x30, 0xb4, 0x01, 0xf6);
}

static void a_path_that_does_not_join_is_refused(void)
{
	struct csg_enc_model m = plain();
	struct csg_enc_path p = {0};
	struct csg_enc_etm etm;

	begin(&p, &user, USER);
	csg_enc_path_branch(&p, CSG_ENC_DIRECT, USER, USER + 4, true, USER);
	csg_enc_path_branch(&p, CSG_ENC_DIRECT, USER + 4, USER + 8, true, USER);
	csg_enc_etm_init(&etm, &m);
	CU_ASSERT(csg_enc_etm_path(&etm, &p) < 0);
	CU_ASSERT_STRING_EQUAL(etm.error, "the run does not start where execution went to");
	csg_enc_etm_fini(&etm);
	csg_enc_path_fini(&p);
}

static void each_clock_tells_another_time(void)
{
	struct csg_enc_time t = {.cntpct = 10000, .cntvoff = 4000};
	struct csg_enc_model m = plain();

	m.clock_mult = 3;
	m.clock_div = 2;
	m.clock_offset = 7;
	m.clock = CSG_ENC_CLOCK_VIRTUAL;
	CU_ASSERT_EQUAL(csg_enc_etm_time(&m, &t), 6000);
	m.clock = CSG_ENC_CLOCK_PHYSICAL;
	CU_ASSERT_EQUAL(csg_enc_etm_time(&m, &t), 10000);
	m.clock = CSG_ENC_CLOCK_UNRELATED;
	CU_ASSERT_EQUAL(csg_enc_etm_time(&m, &t), 15007);
	m.clock = CSG_ENC_CLOCK_ZERO;
	CU_ASSERT_EQUAL(csg_enc_etm_time(&m, &t), 0);
}

CSG_SUITE(encoder, etm, CSG_TEST(a_neoverse_n1_would_send_the_same),
	  CSG_TEST(an_exception_return_comes_before_its_target_or_after),
	  CSG_TEST(ete_has_no_exception_return),
	  CSG_TEST(a_context_after_trace_on_is_full_short_same_or_omitted),
	  CSG_TEST(an_exception_at_a_target_shares_its_address),
	  CSG_TEST(the_return_stack_makes_addresses_needless),
	  CSG_TEST(branch_broadcast_gives_every_target), CSG_TEST(a_context_alone_follows_an_isb),
	  CSG_TEST(an_overflow_is_followed_by_a_synchronisation),
	  CSG_TEST(a_wrong_path_is_cancelled), CSG_TEST(a_return_on_a_wrong_path_never_happened),
	  CSG_TEST(source_addresses_stand_for_atoms),
	  CSG_TEST(a_path_that_does_not_join_is_refused), CSG_TEST(each_clock_tells_another_time));
