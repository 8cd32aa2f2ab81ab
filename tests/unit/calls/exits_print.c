/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include "capture.h"
#include "fake_exits.h"
#include "calls/exits_print.h"

/* waits: what switch records tell; NULL: nothing. */
static void print_with(enum csg_exits_format format, const struct csg_wait_sums *waits)
{
	const struct csg_exits_print how = {
		.format = format, .recording = "rec", .hypervisor = "kvm-vhe"};
	struct csg_exits x = {.by_vcpu = true};
	struct csg_out *out;

	fake_exits(&x);
	if (waits) {
		x.has_waits = true;
		x.rows[0].waits = x.rows[1].waits = *waits;
	}
	out = capture_begin();
	CU_ASSERT_EQUAL(csg_exits_write(&x, &how, out), 0);
	capture_end(out);
	csg_exits_close(&x);
}

static void print(enum csg_exits_format format)
{
	print_with(format, NULL);
}

static void the_costliest_reason_is_first(void)
{
	print(CSG_EXITS_CSV);
	CU_ASSERT_STRING_EQUAL(
		captured,
		"vm,vcpu,from,exception,vector,handler,fast,exits,percent,time,min,p50,p90,p99,"
		"max,handling,preempted,runnable,halted,asleep,blocked,not_known,idle\n"
		"42,1,EL1,data "
		"fault,sync,kvm_handle_guest_abort,0,1,81.5661,1000,1000,1000,1000,1000,1000,,,,,,,"
		","
		"0\n"
		"42,1,EL1,trap,sync,kvm_hyp_handle_fpsimd,1,1,18.4339,226,226,226,226,226,226,,,,,,"
		",,"
		"0\n");
}

static void text_tells_what_is_not_counted(void)
{
	print(CSG_EXITS_TEXT);
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, "# total: 2 exits, 1226 ns in the host"));
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, "# not counted: 1 exits with no entry after"));
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, "EL1   fast  trap        kvm_hyp_handle_fpsimd\n"));
}

static void json_has_numbers_and_nulls(void)
{
	print(CSG_EXITS_JSON);
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, "\"unit\":\"ns\",\n\"open\":1,\n\"rows\":["));
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, "{\"vm\":42,\"vcpu\":1,\"from\":\"EL1\","));
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, "\"fast\":true,\"exits\":1,"));
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, "\"max\":226,\"states\":null,\"idle\":false}]}\n"));
}

static void states_have_columns_where_they_are_known(void)
{
	static const struct csg_wait_sums waits = {{[CSG_WAIT_RUNNING] = 500,
						    [CSG_WAIT_PREEMPTED] = 300,
						    [CSG_WAIT_BLOCKED] = 150,
						    [CSG_WAIT_OFF] = 40,
						    [CSG_WAIT_UNKNOWN] = 10}};

	print_with(CSG_EXITS_TEXT, &waits);
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, "     Total   Handling  Preempted    Blocked "));
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, "      1000        500        300        150 "));
	print_with(CSG_EXITS_TEXT, NULL);
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, "      1000          -          -          - "));
	print_with(CSG_EXITS_CSV, &waits);
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, ",1000,500,300,0,0,0,150,50,0\n"));
	print_with(CSG_EXITS_JSON, &waits);
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, "\"states\":{\"handling\":500,\"preempted\":300,"
						"\"runnable\":0,\"halted\":0,\"asleep\":0,"
						"\"blocked\":150,\"not_known\":50},"));
}

CSG_SUITE(calls, exits_print, CSG_TEST(the_costliest_reason_is_first),
	  CSG_TEST(text_tells_what_is_not_counted), CSG_TEST(json_has_numbers_and_nulls),
	  CSG_TEST(states_have_columns_where_they_are_known));
