/* SPDX-License-Identifier: BSD-3-Clause */
#include "csguest/error.h"
#include "scan/ocsd.h"
#include "suite.h"
#include "walk.h"

struct seen {
	uint64_t first_index, packets, elements, pauses_left;
};

static void on_packet(void *arg, uint64_t index, const ocsd_etmv4_i_pkt *packet)
{
	struct seen *seen = arg;

	if (!seen->packets++)
		seen->first_index = index;
	CU_ASSERT_PTR_NOT_NULL(packet);
}

static bool on_element(void *arg, uint64_t index, const ocsd_generic_trace_elem *element)
{
	struct seen *seen = arg;

	(void)index;
	(void)element;
	seen->elements++;
	if (!seen->pauses_left)
		return true;
	seen->pauses_left--;
	return false;
}

static uint32_t no_code(void *arg, uint64_t address, ocsd_mem_space_acc_t space, uint32_t want,
			uint8_t *out)
{
	(void)arg;
	(void)address;
	(void)space;
	(void)want;
	(void)out;
	return 0;
}

static struct walk walk;

static struct csg_ocsd *make(struct seen *seen, enum csg_ocsd_mode mode)
{
	const struct csg_ocsd_client client = {
		.arg = seen, .packet = on_packet, .element = on_element, .memory = no_code};
	struct csg_ocsd *tree;

	CU_ASSERT_EQUAL_FATAL(csg_ocsd_create(&tree, &walk.source, mode, &client, NULL), 0);
	return tree;
}

/* Feeds all of the walk's trace at base; returns how often the tree paused. */
static unsigned int feed(struct csg_ocsd *tree, uint64_t base)
{
	const struct csg_enc_bytes *trace = &walk.etm.out;
	unsigned int pauses = 0;

	for (size_t at = 0; at < trace->size;) {
		uint32_t used;
		enum csg_ocsd_state state = csg_ocsd_data(tree, base + at, trace->data + at,
							  (uint32_t)(trace->size - at), &used);

		CU_ASSERT_NOT_EQUAL_FATAL(state, CSG_OCSD_DEAD);
		at += used;
		for (; state == CSG_OCSD_PAUSED; state = csg_ocsd_resume(tree))
			pauses++;
	}
	CU_ASSERT_EQUAL(csg_ocsd_end(tree), CSG_OCSD_READY);
	return pauses;
}

static void etm_and_ete_give_packets_and_elements(void)
{
	for (int ete = 0; ete < 2; ete++) {
		struct seen packets = {0}, elements = {0};
		struct csg_ocsd *tree;

		CU_ASSERT_FATAL(walk_init(&walk, 3, ete, false, 200));
		tree = make(&packets, CSG_OCSD_PACKETS);
		feed(tree, 0);
		csg_ocsd_destroy(tree);
		tree = make(&elements, CSG_OCSD_FULL);
		feed(tree, 0);
		csg_ocsd_destroy(tree);
		CU_ASSERT(packets.packets > 100);
		CU_ASSERT(elements.elements > 50);
		walk_fini(&walk);
	}
}

static void a_pause_loses_no_element(void)
{
	struct seen plain = {0}, paused = {.pauses_left = 30};
	struct csg_ocsd *tree;

	CU_ASSERT_FATAL(walk_init(&walk, 3, false, false, 200));
	tree = make(&plain, CSG_OCSD_FULL);
	CU_ASSERT_EQUAL(feed(tree, 0), 0);
	csg_ocsd_destroy(tree);
	tree = make(&paused, CSG_OCSD_FULL);
	CU_ASSERT_EQUAL(feed(tree, 0), 30);
	csg_ocsd_destroy(tree);
	CU_ASSERT_EQUAL(plain.elements, paused.elements);
	walk_fini(&walk);
}

static void indices_beyond_4_gb_are_whole(void)
{
	struct seen seen = {0};
	struct csg_ocsd *tree;

	CU_ASSERT_FATAL(walk_init(&walk, 3, false, false, 20));
	tree = make(&seen, CSG_OCSD_PACKETS);
	feed(tree, UINT64_C(0x123456789a));
	csg_ocsd_destroy(tree);
	CU_ASSERT_EQUAL(seen.first_index, UINT64_C(0x123456789a));
	walk_fini(&walk);
}

static void a_configuration_opencsd_cannot_decode_is_unsupported(void)
{
	struct seen seen = {0};
	const struct csg_ocsd_client client = {
		.arg = &seen, .packet = on_packet, .element = on_element, .memory = no_code};
	struct csg_ocsd *tree;

	CU_ASSERT_FATAL(walk_init(&walk, 3, false, false, 20));
	walk.source.trcidr0 |= 1u << 6;	   /* TRCCOND: conditional tracing exists ... */
	walk.source.trcconfigr |= 1u << 8; /* COND: ... and is on */
	CU_ASSERT_EQUAL(csg_ocsd_create(&tree, &walk.source, CSG_OCSD_FULL, &client, NULL),
			-CSG_E_UNSUPPORTED);
	CU_ASSERT_PTR_NULL(tree);
	walk_fini(&walk);
}

typedef void (*new_handler)(void);

/* std::set_new_handler() */
extern new_handler set_new_handler(new_handler handler) __asm__("_ZSt15set_new_handlerPFvvE")
	__attribute__((weak));

/* As operator new does when malloc() fails: nothing else of it need show. */
static void fail_an_allocation(void)
{
	new_handler handler = set_new_handler(NULL);

	set_new_handler(handler);
	CU_ASSERT_PTR_NOT_NULL_FATAL(handler);
	handler();
}

static void a_failed_allocation_fails_the_trees_that_are_there(void)
{
	struct seen seen = {0};
	struct csg_ocsd *first, *second;

	CU_ASSERT_FATAL(walk_init(&walk, 3, false, false, 20));
	first = make(&seen, CSG_OCSD_FULL);
	CU_ASSERT_FALSE(csg_ocsd_failed(first));
	fail_an_allocation();
	CU_ASSERT(csg_ocsd_failed(first));
	second = make(&seen, CSG_OCSD_PACKETS);
	CU_ASSERT_FALSE(csg_ocsd_failed(second));
	fail_an_allocation();
	CU_ASSERT(csg_ocsd_failed(second));
	csg_ocsd_destroy(first);
	csg_ocsd_destroy(second);
	walk_fini(&walk);
}

CSG_SUITE(scan, ocsd, CSG_TEST(etm_and_ete_give_packets_and_elements),
	  CSG_TEST(a_pause_loses_no_element), CSG_TEST(indices_beyond_4_gb_are_whole),
	  CSG_TEST(a_configuration_opencsd_cannot_decode_is_unsupported),
	  CSG_TEST(a_failed_allocation_fails_the_trees_that_are_there));
