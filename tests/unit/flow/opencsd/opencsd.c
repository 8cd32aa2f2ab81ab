/* SPDX-License-Identifier: BSD-3-Clause */
#include "flow/opencsd/opencsd.h"

#include "csguest/error.h"
#include "flow/flow.h"
#include "suite.h"

static int no_code(void *arg, uint32_t owner, uint64_t address, const uint8_t **bytes, size_t *len)
{
	(void)arg;
	(void)owner;
	(void)address;
	(void)bytes;
	(void)len;
	return -CSG_E_NO_IMAGE;
}

static const struct csg_flow_code code = {.read = no_code};

static void the_end_of_the_trace_is_an_element(void)
{
	const struct csg_source source = {.protocol = CSG_PROTOCOL_ETMV4, .trcidr1 = 0x4100f423};
	struct csg_flow *flow;
	const struct csg_element *out;
	size_t n;

	CU_ASSERT_EQUAL_FATAL(csg_flow_create(&flow, CSG_ENGINE_OPENCSD, &source, &code, NULL), 0);
	CU_ASSERT_EQUAL(csg_flow_engine(flow), CSG_ENGINE_OPENCSD);
	CU_ASSERT(csg_flow_end(flow, 7));
	out = csg_flow_elements(flow, &n);
	CU_ASSERT_EQUAL_FATAL(n, 1);
	CU_ASSERT_EQUAL(out[0].kind, CSG_ELEMENT_END);
	CU_ASSERT_EQUAL(out[0].index, 7);
	CU_ASSERT_FALSE(csg_flow_failed(flow));
	csg_flow_destroy(flow);
}

static void opencsd_does_not_count(void)
{
	const struct csg_source source = {.protocol = CSG_PROTOCOL_ETMV4, .trcidr1 = 0x4100f423};
	struct csg_flow *flow;

	CU_ASSERT_EQUAL_FATAL(csg_flow_create(&flow, CSG_ENGINE_OPENCSD, &source, &code, NULL), 0);
	csg_flow_set_counts(flow);
	CU_ASSERT_FALSE(flow->counts);
	csg_flow_take(flow);
	csg_flow_destroy(flow);
}

static void data_trace_is_unsupported(void)
{
	const struct csg_source source = {.protocol = CSG_PROTOCOL_ETMV4,
					  .trcconfigr = 1u << 16, /* DA */
					  .trcidr0 = 3u << 3,	  /* TRCDATA */
					  .trcidr1 = 0x4100f423};
	struct csg_flow *flow;

	CU_ASSERT_EQUAL(csg_flow_create(&flow, CSG_ENGINE_OPENCSD, &source, &code, NULL),
			-CSG_E_UNSUPPORTED);
	CU_ASSERT_PTR_NULL(flow);
}

CSG_SUITE(flow_opencsd, opencsd, CSG_TEST(the_end_of_the_trace_is_an_element),
	  CSG_TEST(opencsd_does_not_count), CSG_TEST(data_trace_is_unsupported));
