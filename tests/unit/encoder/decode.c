/* SPDX-License-Identifier: BSD-3-Clause */
/* What random programs do not hold, decoded back as well; and that the comparison can fail. */
#include <stdio.h>
#include <string.h>

#include "encoder/decode.h"
#include "encoder/etm.h"
#include "encoder/frame.h"
#include "suite.h"

#define A64 0xffff800080000000
#define T32 0x8000
#define A32 0x9000

static const uint32_t a64_code[] = {
	0xd503201f, 0xd503201f, 0xd503201f, /* nop */
	0x17fffffd,			    /* b A64 */
	0xd69f03e0,			    /* eret */
};
static const uint16_t t32_code[] = {0xbf00, 0xe7fd, 0x4770}; /* nop; b T32; bx lr */
static const uint32_t a32_code[] = {0xe1a00000, 0xeafffffd}; /* nop; b A32 */

static size_t read_part(uint64_t address, uint64_t base, const void *code, size_t code_size,
			void *data, size_t size)
{
	if (address < base || address >= base + code_size)
		return 0;
	memset(data, 0, size);
	memcpy(data, (const uint8_t *)code + (address - base),
	       size < base + code_size - address ? size : base + code_size - address);
	return size;
}

static size_t read_code(void *arg, uint64_t address, void *data, size_t size)
{
	size_t n = read_part(address, A64, a64_code, sizeof(a64_code), data, size);

	(void)arg;
	if (!n)
		n = read_part(address, T32, t32_code, sizeof(t32_code), data, size);
	return n ? n : read_part(address, A32, a32_code, sizeof(a32_code), data, size);
}

/* Is the path decoded to itself? */
static bool comes_back(const struct csg_enc_model *m, struct csg_enc_path *path)
{
	struct csg_enc_elems expected = {0}, seen = {0};
	struct csg_enc_decode d = {.model = m, .read = read_code};
	struct csg_enc_etm etm;
	char text[600] = "not decoded";
	bool good = false;

	csg_enc_etm_init(&etm, m);
	if (!csg_enc_etm_path(&etm, path)) {
		d.data = etm.out.data;
		d.size = etm.out.size;
		csg_enc_expect(m, path, &expected);
		good = !csg_enc_decode(&d, &seen) &&
		       csg_enc_elems_equal(m, &expected, &seen, text, sizeof(text));
	}
	if (!good)
		fprintf(stderr, "%s\n", text);
	csg_enc_elems_fini(&expected);
	csg_enc_elems_fini(&seen);
	csg_enc_etm_fini(&etm);
	csg_enc_path_fini(path);
	return good;
}

static void add_branch(struct csg_enc_path *p, struct csg_enc_branch b)
{
	struct csg_enc_event e = {.kind = CSG_ENC_BRANCH, .branch = b};

	csg_enc_path_add(p, &e);
}

/* An AArch32 guest process: T32, an exception to A64 and back, A32. */
static struct csg_enc_path aarch32(void)
{
	static const struct csg_enc_context user = {.el = 0, .aarch32 = true, .guest = true};
	static const struct csg_enc_context kernel = {.el = 1, .guest = true};
	struct csg_enc_event on = {.kind = CSG_ENC_ON, .address = T32, .t32 = true};
	struct csg_enc_event svc = {
		.kind = CSG_ENC_EXCEPTION,
		.exception = {.start = T32,
			      .ret = T32 + 2,
			      .target = A64,
			      .count = 1,
			      .number = CSG_ENC_EXC_CALL,
			      .t32 = true},
	};
	struct csg_enc_path p = {0};

	csg_enc_path_context(&p, &user);
	csg_enc_path_add(&p, &on);
	add_branch(&p, (struct csg_enc_branch){.start = T32,
					       .end = T32 + 4,
					       .target = T32,
					       .count = 2,
					       .taken = true,
					       .t32 = true,
					       .target_t32 = true});
	csg_enc_path_add(&p, &svc);
	csg_enc_path_context(&p, &kernel);
	csg_enc_path_branch(&p, CSG_ENC_DIRECT, A64, A64 + 16, false, 0);
	add_branch(&p, (struct csg_enc_branch){.start = A64 + 16,
					       .end = A64 + 20,
					       .target = T32 + 4,
					       .count = 1,
					       .taken = true,
					       .p0 = CSG_ENC_ERET,
					       .target_t32 = true});
	csg_enc_path_context(&p, &user);
	add_branch(&p, (struct csg_enc_branch){.start = T32 + 4,
					       .end = T32 + 6,
					       .target = A32,
					       .count = 1,
					       .taken = true,
					       .t32 = true,
					       .p0 = CSG_ENC_INDIRECT});
	csg_enc_path_branch(&p, CSG_ENC_DIRECT, A32, A32 + 8, true, A32);
	csg_enc_path_branch(&p, CSG_ENC_DIRECT, A32, A32 + 8, true, A32);
	return p;
}

static void aarch32_code_comes_back(void)
{
	struct csg_enc_model m;
	struct csg_enc_path p = aarch32();

	csg_enc_model_init(&m, false);
	CU_ASSERT(comes_back(&m, &p));
	m.full_addresses = true;
	m.virt = CSG_ENC_VIRTUAL_ABSENT;
	p = aarch32();
	CU_ASSERT(comes_back(&m, &p));
	csg_enc_model_init(&m, true);
	p = aarch32();
	CU_ASSERT(comes_back(&m, &p));
}

static void add_q(struct csg_enc_path *p, uint64_t start, uint64_t target, uint32_t count,
		  bool counted)
{
	struct csg_enc_event e = {
		.kind = CSG_ENC_Q,
		.q = {.start = start, .target = target, .count = count, .counted = counted},
	};

	csg_enc_path_add(p, &e);
}

static void q_elements_come_back(void)
{
	static const struct csg_enc_context el2 = {.el = 2};
	struct csg_enc_elems seen = {0};
	struct csg_enc_etm etm;
	struct csg_enc_model m;
	struct csg_enc_path p = {0};
	struct csg_enc_decode d = {.model = &m, .read = read_code};

	csg_enc_model_init(&m, false);
	m.minor = 3;
	m.q_elements = true;
	m.clock = CSG_ENC_CLOCK_NONE;
	csg_enc_path_context(&p, &el2);
	csg_enc_path_mark(&p, CSG_ENC_ON, 0, A64);
	add_q(&p, A64, A64 + 8, 2, true);	 /* its instructions are known */
	add_q(&p, A64 + 8, A64, 2, true);	 /* a branch in it, taken or not */
	add_q(&p, A64, A64 + 4, 0, false);	 /* not even how many */
	add_q(&p, A64 + 4, A64 + 12, 100, true); /* round and round */
	csg_enc_path_branch(&p, CSG_ENC_DIRECT, A64 + 12, A64 + 16, true, A64);
	csg_enc_etm_init(&etm, &m);
	CU_ASSERT_EQUAL(csg_enc_etm_path(&etm, &p), 0);
	d.data = etm.out.data;
	d.size = etm.out.size;
	CU_ASSERT_EQUAL(csg_enc_decode(&d, &seen), 0);
	CU_ASSERT_EQUAL_FATAL(seen.count, 7);
	CU_ASSERT_EQUAL(seen.elems[2].kind, CSG_ENC_ELEM_RANGE);
	CU_ASSERT_EQUAL(seen.elems[2].end, A64 + 8);
	/* OpenCSD calls this a known range, since its last instruction is the branch */
	CU_ASSERT_EQUAL(seen.elems[3].kind, CSG_ENC_ELEM_RANGE);
	CU_ASSERT_EQUAL(seen.elems[3].count, 2);
	CU_ASSERT_EQUAL(seen.elems[4].kind, CSG_ENC_ELEM_NO_PATH);
	CU_ASSERT_EQUAL(seen.elems[4].end, A64 + 4);
	CU_ASSERT_EQUAL(seen.elems[5].kind, CSG_ENC_ELEM_NO_PATH);
	CU_ASSERT_EQUAL(seen.elems[5].count, 100);
	CU_ASSERT_EQUAL(seen.elems[6].kind, CSG_ENC_ELEM_RANGE);
	csg_enc_elems_fini(&seen);
	csg_enc_etm_fini(&etm);
	csg_enc_path_fini(&p);
}

static void realms_and_root_come_back(void)
{
	static const struct csg_enc_context realm = {.el = 2, .security = CSG_ENC_REALM};
	static const struct csg_enc_context root = {.el = 3, .security = CSG_ENC_ROOT};
	struct csg_enc_model m;
	struct csg_enc_path p = {0};

	csg_enc_model_init(&m, true);
	csg_enc_path_context(&p, &realm);
	csg_enc_path_mark(&p, CSG_ENC_ON, 0, A64);
	csg_enc_path_branch(&p, CSG_ENC_DIRECT, A64, A64 + 16, true, A64);
	csg_enc_path_exception(&p, CSG_ENC_EXC_CALL, A64, A64 + 8, A64 + 4);
	csg_enc_path_context(&p, &root);
	csg_enc_path_branch(&p, CSG_ENC_DIRECT, A64 + 4, A64 + 16, true, A64);
	csg_enc_path_branch(&p, CSG_ENC_DIRECT, A64, A64 + 16, true, A64);
	CU_ASSERT(comes_back(&m, &p));
}

/* One element of the expected list is changed: the comparison must say so. */
static void a_wrong_element_is_reported(void)
{
	static const struct csg_enc_context el2 = {.el = 2, .contextidr_el2 = 5};
	struct csg_enc_elems a = {0}, b = {0};
	struct csg_enc_model m;
	struct csg_enc_path p = {0};
	char text[600];

	csg_enc_model_init(&m, false);
	csg_enc_path_context(&p, &el2);
	csg_enc_path_mark(&p, CSG_ENC_ON, 0, A64);
	csg_enc_path_branch(&p, CSG_ENC_DIRECT, A64, A64 + 16, true, A64);
	csg_enc_expect(&m, &p, &a);
	csg_enc_expect(&m, &p, &b);
	CU_ASSERT_TRUE(csg_enc_elems_equal(&m, &a, &b, text, sizeof(text)));
	for (unsigned i = 0; i < 6; i++) {
		struct csg_enc_elem *e = &b.elems[b.count - 1], before = *e;

		e->start += i == 0 ? 4 : 0;
		e->count += i == 1;
		e->executed ^= i == 2;
		e->el ^= i == 3;
		e->virt += i == 4;
		e->kind += i == 5;
		CU_ASSERT_FALSE(csg_enc_elems_equal(&m, &a, &b, text, sizeof(text)));
		CU_ASSERT_PTR_NOT_NULL(strstr(text, "expected range ffff800080000000"));
		*e = before;
	}
	csg_enc_elems_fini(&a);
	csg_enc_elems_fini(&b);
	csg_enc_path_fini(&p);
}

static void code_that_is_missing_is_no_success(void)
{
	static const struct csg_enc_context el2 = {.el = 2};
	struct csg_enc_elems seen = {0};
	struct csg_enc_model m;
	struct csg_enc_path p = {0};
	struct csg_enc_etm etm;
	struct csg_enc_decode d = {.model = &m, .read = read_code};

	csg_enc_model_init(&m, false);
	csg_enc_path_context(&p, &el2);
	csg_enc_path_mark(&p, CSG_ENC_ON, 0, 0x5000);
	csg_enc_path_branch(&p, CSG_ENC_DIRECT, 0x5000, 0x5004, true, 0x5000);
	csg_enc_etm_init(&etm, &m);
	CU_ASSERT_EQUAL(csg_enc_etm_path(&etm, &p), 0);
	d.data = etm.out.data;
	d.size = etm.out.size;
	CU_ASSERT_EQUAL(csg_enc_decode(&d, &seen), 0);
	CU_ASSERT_EQUAL(seen.elems[seen.count - 1].kind, CSG_ENC_ELEM_OTHER);
	csg_enc_elems_fini(&seen);
	csg_enc_etm_fini(&etm);
	csg_enc_path_fini(&p);
}

CSG_SUITE(encoder, decode, CSG_TEST(aarch32_code_comes_back), CSG_TEST(q_elements_come_back),
	  CSG_TEST(realms_and_root_come_back), CSG_TEST(a_wrong_element_is_reported),
	  CSG_TEST(code_that_is_missing_is_no_success));
