/* SPDX-License-Identifier: BSD-3-Clause */
#include "script/sample_text.h"

#include <stdio.h>
#include <string.h>

#include "csguest/context.h"
#include "csguest/element.h"
#include "recording/model/store.h"
#include "suite.h"

#define SORT "/home/gergom01/target/bubblesort_singlethread/sort"

static const struct csg_owner *owner(void *arg, uint32_t number)
{
	static const struct csg_owner host = {.world = CSG_WORLD_HOST,
					      .evidence = CSG_EVIDENCE_EXCEPTION_LEVEL |
							  CSG_EVIDENCE_VMID,
					      .host_tid = 77},
				      guest = {.world = CSG_WORLD_GUEST,
					       .vm = 4321,
					       .vcpu = 1,
					       .host_tid = 78},
				      open = {.world = CSG_WORLD_GUEST, .vm = -1, .vcpu = -1};

	(void)arg;
	return number == 1 ? &host : number == 2 ? &guest : &open;
}

static void who(void *arg, uint32_t number, uint64_t when, struct csg_sample_who *out)
{
	(void)arg, (void)when;
	if (number == 1)
		*out = (struct csg_sample_who){"sort", 265475, 265475};
	if (number == 2)
		*out = (struct csg_sample_who){NULL, -1, 12};
}

static void place(void *arg, uint32_t number, uint64_t address, uint64_t when,
		  struct csg_place *out)
{
	(void)arg, (void)number, (void)when;
	if (address >= 0x400570 && address < 0x4005b0)
		*out = (struct csg_place){"_start", address - 0x400570, SORT};
	else if (address >= 0x400958)
		*out = (struct csg_place){"__libc_start_main", address - 0x400958, SORT};
	else if (address)
		out->dso = "[vdso]";
}

static bool line(void *arg, uint32_t number, uint64_t address, uint64_t when, char *text,
		 size_t size)
{
	(void)arg, (void)number, (void)when;
	snprintf(text, size, "sort[%lx]", (unsigned long)address);
	return true;
}

static bool code(void *arg, uint32_t number, uint64_t address, uint64_t when, uint8_t *bytes,
		 size_t n)
{
	static const uint8_t call[] = {0xee, 0x00, 0x00, 0x94};

	(void)arg, (void)number, (void)address, (void)when;
	memcpy(bytes, call, n);
	return true;
}

static const struct csg_sample from_start =
				       {
					       .event = CSG_SAMPLE_BRANCH,
					       .time = 167370470923440,
					       .ip = 0x4005a0,
					       .addr = 0x400958,
					       .period = 1,
					       .flags = CSG_FLAG_BRANCH | CSG_FLAG_CALL,
					       .owner = 1,
					       .target = 1,
					       .thread = 1,
					       .cpu = 1,
					       .insn_size = 4,
},
			       begin =
				       {
					       .event = CSG_SAMPLE_BRANCH,
					       .time = 167370470923440,
					       .addr = 0x400570,
					       .period = 1,
					       .flags = CSG_FLAG_BRANCH | CSG_FLAG_BEGIN,
					       .owner = CSG_SAMPLE_NOBODY,
					       .target = 1,
					       .thread = 1,
					       .cpu = 1,
					       .el = CSG_EL_UNKNOWN,
},
			       instruction =
				       {
					       .event = CSG_SAMPLE_INSTRUCTION,
					       .time = 167370470923440,
					       .ip = 0x400960,
					       .period = 16,
					       .flags = CSG_FLAG_BRANCH | CSG_FLAG_CALL |
							CSG_FLAG_INTERRUPT | CSG_FLAG_END,
					       .owner = 1,
					       .target = CSG_SAMPLE_NOBODY,
					       .thread = 1,
					       .cpu = 1,
					       .insn_size = 4,
					       .branch_count = 1,
},
			       to_guest =
				       {
					       .event = CSG_SAMPLE_BRANCH,
					       .time = 5,
					       .ip = 0x4005a0,
					       .addr = 0x20,
					       .period = 1,
					       .owner = 1,
					       .target = 2,
					       .thread = 1,
					       .el = CSG_EL2,
					       .target_el = CSG_EL1,
},
			       in_guest =
				       {
					       .event = CSG_SAMPLE_INSTRUCTION,
					       .ip = 0x20,
					       .period = 1,
					       .owner = 2,
					       .target = CSG_SAMPLE_NOBODY,
					       .thread = 2,
					       .cpu = -1,
					       .el = CSG_EL1,
},
			       lost = {
				       .event = CSG_SAMPLE_ERROR,
				       .time = 1000000002,
				       .ip = 0xabc,
				       .gap = CSG_GAP_NO_CODE,
				       .owner = CSG_SAMPLE_NOBODY,
				       .target = CSG_SAMPLE_NOBODY,
				       .thread = 1,
				       .cpu = 3,
};

static const struct csg_sample_branch branch = {0x4005a0, 0x400958, 1, 1};

static uint64_t forever(void *arg, uint32_t number, uint64_t address, uint64_t when)
{
	(void)arg, (void)number, (void)address, (void)when;
	return UINT64_MAX;
}

/* The same from what was kept of it, where the names are of no other time. */
static void print_again(struct csg_sample_text *text, const struct csg_sample *sample)
{
	static struct csg_sample_cache cache;
	static struct csg_out out;
	size_t line;

	memset(&cache, 0, sizeof(cache));
	csg_out_init(&out, -1);
	text->out = &out;
	text->cache = &cache;
	text->names.until = forever;
	csg_sample_print(text, sample, &branch);
	line = out.used;
	csg_sample_print(text, sample, &branch);
	CU_ASSERT_EQUAL(out.used, 2 * line);
	CU_ASSERT(!memcmp(out.buf, out.buf + line, line));
}

static const char *printed(const struct csg_sample *sample, const char *fields, bool nanoseconds)
{
	static struct csg_out out;
	struct csg_sample_text text = {.out = &out, .nanoseconds = nanoseconds};
	char why[100];

	text.names = (struct csg_sample_names){
		.owner = owner, .who = who, .place = place, .line = line, .code = code};
	csg_out_init(&out, -1);
	csg_fields_default(&text.fields);
	CU_ASSERT_EQUAL(csg_fields_parse(&text.fields, fields, why, sizeof(why)), 0);
	strcpy(text.branches, "branches:uH");
	strcpy(text.instructions, "instructions:uH");
	text.event_width = 15;
	csg_sample_print(&text, sample, &branch);
	out.buf[out.used] = 0;
	print_again(&text, sample);
	CU_ASSERT_EQUAL(text.out->used, 2 * out.used);
	CU_ASSERT(!memcmp(text.out->buf, out.buf, out.used));
	return out.buf;
}

/* The lines are perf 6.12's own, of a recording on N1SDP. */
static void lines_are_those_of_perf(void)
{
	CU_ASSERT_STRING_EQUAL(printed(&from_start, "-world,-el", false),
			       "            sort  265475 [001] 167370.470923:          1     "
			       "branches:uH:          "
			       "  4005a0 _start+0x30 (" SORT
			       ") =>           400958 __libc_start_main+0x0 (" SORT ")\n");
	CU_ASSERT_STRING_EQUAL(
		printed(&begin, "-world,-el", false),
		"            sort  265475 [001] 167370.470923:          1     branches:uH:         "
		" "
		"       0 [unknown] ([unknown]) =>           400570 _start+0x0 (" SORT ")\n");
}

static void with_chosen_fields_too(void)
{
	const char *fields = "comm,pid,tid,cpu,time,event,ip,sym,dso,symoff,period,brstack,flags,"
			     "insn,insnlen";

	CU_ASSERT_STRING_EQUAL(
		printed(&begin, fields, false),
		"            sort  265475/265475  [001] 167370.470923:          1     branches:uH: "
		" "
		" tr strt                               0 [unknown] ([unknown]) ilen: 0\n");
	CU_ASSERT_STRING_EQUAL(printed(&from_start, fields, false),
			       "            sort  265475/265475  [001] 167370.470923:          1   "
			       "  branches:uH:  "
			       " call                             4005a0 _start+0x30 (" SORT
			       ") ilen: 4 insn: ee 00 00 94\n");
	CU_ASSERT_STRING_EQUAL(
		printed(&instruction, fields, false),
		"            sort  265475/265475  [001] 167370.470923:         16 instructions:uH: "
		" "
		" tr end  int                      400960 __libc_start_main+0x8 (" SORT
		") 0x4005a0 (" SORT ")/0x400958 (" SORT
		")/P/-/-/0//-  ilen: 4 insn: ee 00 00 94\n");
	CU_ASSERT_STRING_EQUAL(
		printed(&from_start, "ip,sym,flags,addr", false),
		"  call                             4005a0 _start =>           400958 "
		"__libc_start_main\n");
	CU_ASSERT_STRING_EQUAL(printed(&from_start, "ip,srcline", false),
			       "           4005a0\n  sort[4005a0]\n");
	CU_ASSERT_STRING_EQUAL(printed(&from_start, "tid,time", true),
			       " 265475 167370.470923440: \n");
	CU_ASSERT_STRING_EQUAL(printed(&instruction, "comm,brstack", false),
			       "            sort  0x4005a0/0x400958/P/-/-/0//- \n");
	CU_ASSERT_STRING_EQUAL(printed(&instruction, "brstacksym", false),
			       "_start+0x30/__libc_start_main+0x0/P/-/-/0//- \n");
	CU_ASSERT_STRING_EQUAL(printed(&instruction, "addr,ip", false),
			       "               0           400960\n");
}

static void the_border_between_worlds_is_shown(void)
{
	CU_ASSERT_STRING_EQUAL(printed(&to_guest, "world,el,ip", false),
			       "host>guest EL2>EL1            4005a0\n");
	CU_ASSERT_STRING_EQUAL(printed(&in_guest, "world,el,ip", false),
			       "guest      EL1                20\n");
	CU_ASSERT_STRING_EQUAL(printed(&begin, "world,el", false), "host       EL0 \n");
	CU_ASSERT_STRING_EQUAL(printed(&to_guest, "evidence,hosttid", false),
			       "{exception level, VMID} host:77      \n");
}

static void guests_have_their_machine_and_vcpu(void)
{
	struct csg_sample open = in_guest;

	CU_ASSERT_STRING_EQUAL(printed(&in_guest, "machine_pid,vcpu,comm,tid,cpu", false),
			       "VM: 4321 VCPU:001              :12      12 [-01] \n");
	open.owner = open.thread = 3;
	CU_ASSERT_STRING_EQUAL(printed(&open, "machine_pid,vcpu,comm,tid", false),
			       "VM:    ? VCPU:  ?              :-1      -1 \n");
	CU_ASSERT_STRING_EQUAL(printed(&from_start, "machine_pid,vcpu,comm", false),
			       "            sort \n");
}

static void instrumentation_has_its_value_and_no_address(void)
{
	struct csg_sample ite = in_guest;

	ite.event = CSG_SAMPLE_INSTRUMENTATION;
	ite.addr = 0xfedcba9876543210;
	ite.ip = 0;
	CU_ASSERT_STRING_EQUAL(printed(&ite, "world,el,event,ip,sym,dso,addr,insn,srcline", false),
			       "guest      EL1 instrumentation:  payload: 0xfedcba9876543210\n");
}

static void errors_have_a_line_of_their_own(void)
{
	CU_ASSERT_STRING_EQUAL(printed(&lost, "comm", false),
			       " instruction trace error type 1 time 1.000000002 cpu 3 pid 265475 "
			       "tid 265475 ip 0xabc code 6: no code\n");
}

/* A thread "a" that becomes "b" at 10, and code of x that becomes y's at 20. */
static void who_renamed(void *arg, uint32_t number, uint64_t when, struct csg_sample_who *out)
{
	(void)arg, (void)number;
	*out = (struct csg_sample_who){when < 10 ? "a" : "b", 1, 1};
}

static void place_replaced(void *arg, uint32_t number, uint64_t address, uint64_t when,
			   struct csg_place *out)
{
	(void)arg, (void)number, (void)address;
	*out = (struct csg_place){when < 20 ? "x" : "y", 0, NULL};
}

static uint64_t until_replaced(void *arg, uint32_t number, uint64_t address, uint64_t when)
{
	(void)arg, (void)number, (void)address;
	return when < 20 ? 20 : UINT64_MAX;
}

static unsigned int asked;

static uint64_t count_asked(void *arg, uint32_t number, uint64_t address, uint64_t when)
{
	(void)arg, (void)number, (void)address;
	asked++;
	return when;
}

/* A snapshot has no times: all is looked up as it was last. */
static void what_is_kept_is_printed_where_there_is_no_time(void)
{
	static struct csg_sample_cache cache;
	static struct csg_out out;
	struct csg_sample_text text = {.out = &out, .cache = &cache};
	struct csg_sample sample = from_start;

	text.names = (struct csg_sample_names){
		.owner = owner, .who = who, .place = place, .until = count_asked};
	text.fields.set = 1u << CSG_FIELD_COMM | 1u << CSG_FIELD_IP | 1u << CSG_FIELD_SYM;
	text.fields.chosen = true;
	csg_out_init(&out, -1);
	sample.when = UINT64_MAX;
	asked = 0;
	csg_sample_print(&text, &sample, &branch);
	csg_sample_print(&text, &sample, &branch);
	CU_ASSERT_EQUAL(asked, 1);
}

static void what_is_kept_is_not_printed_at_another_time(void)
{
	static const uint64_t times[] = {1, 5, 10, 19, 20, 30, 5};
	static struct csg_sample_cache cache;
	static struct csg_out out;
	struct csg_sample_text text = {.out = &out, .cache = &cache};
	struct csg_sample sample = to_guest;

	text.names = (struct csg_sample_names){.owner = owner,
					       .who = who_renamed,
					       .place = place_replaced,
					       .until = until_replaced};
	text.fields.set = 1u << CSG_FIELD_COMM | 1u << CSG_FIELD_IP | 1u << CSG_FIELD_SYM;
	text.fields.chosen = true;
	csg_out_init(&out, -1);
	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		size_t line = out.used;

		sample.when = times[i];
		csg_sample_print(&text, &sample, &branch);
		CU_ASSERT_EQUAL(out.buf[line + 15], times[i] < 10 ? 'a' : 'b');
		CU_ASSERT_EQUAL(out.buf[out.used - 2], times[i] < 20 ? 'x' : 'y');
	}
}

static uint64_t renamed_at(void *arg, uint32_t number, uint64_t when)
{
	(void)arg, (void)number;
	return when < 10 ? 10 : UINT64_MAX;
}

static void a_thread_renamed_where_the_time_is_not_known_has_no_name(void)
{
	static const struct {
		uint64_t since, when;
		char name;
	} cases[] = {{5, 9, 'a'}, {5, 10, '1'}, {5, 12, '1'}, {10, 12, 'b'}, {12, 12, 'b'}};
	static struct csg_out out;
	struct csg_sample_text text = {.out = &out};
	struct csg_sample sample = to_guest;

	text.names = (struct csg_sample_names){
		.owner = owner, .who = who_renamed, .named_until = renamed_at};
	text.fields.set = 1u << CSG_FIELD_COMM;
	text.fields.chosen = true;
	csg_out_init(&out, -1);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		size_t line = out.used;

		sample.since = cases[i].since;
		sample.when = cases[i].when;
		csg_sample_print(&text, &sample, &branch);
		CU_ASSERT_EQUAL(out.buf[line + 15], cases[i].name);
	}
}

/* What a record says of its thread is printed where the trace before it does not show the owner. */
static void a_record_names_the_thread_of_an_unknown_owner(void)
{
	static struct csg_traced_sample records[] = {{.pid = 500, .tid = 501},
						     {.pid = 600, .tid = 601}};
	static const struct csg_recording rec = {.samples = records, .n_samples = 2};
	static const struct {
		uint32_t owner, record;
		const struct csg_recording *rec;
		enum csg_sample_event event;
		const char *line;
	} cases[] = {
		{CSG_SAMPLE_NOBODY, 1, &rec, CSG_SAMPLE_EVENT,
		 "            :601     600/601     \n"},
		{CSG_SAMPLE_NOBODY, 0, &rec, CSG_SAMPLE_EVENT,
		 "            :501     500/501     \n"},
		{1, 1, &rec, CSG_SAMPLE_EVENT, "            sort  265475/265475  \n"},
		{2, 1, &rec, CSG_SAMPLE_EVENT,
		 "VM: 4321 VCPU:001              :12      -1/12      \n"},
		/* A guest whose VM is not known is not the thread that the host's perf names. */
		{3, 1, &rec, CSG_SAMPLE_EVENT,
		 "VM:    ? VCPU:  ?              :-1      -1/-1      \n"},
		/* There is no such record, or the line is not of one. */
		{CSG_SAMPLE_NOBODY, 2, &rec, CSG_SAMPLE_EVENT,
		 "             :-1      -1/-1      \n"},
		{CSG_SAMPLE_NOBODY, 1, NULL, CSG_SAMPLE_EVENT,
		 "             :-1      -1/-1      \n"},
		{CSG_SAMPLE_NOBODY, 1, &rec, CSG_SAMPLE_INSTRUCTION,
		 "             :-1      -1/-1      \n"},
	};
	static struct csg_out out;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct csg_sample_text text = {.out = &out, .rec = cases[i].rec};
		struct csg_sample sample = {.event = cases[i].event,
					    .record = cases[i].record,
					    .owner = cases[i].owner,
					    .target = CSG_SAMPLE_NOBODY,
					    .thread = cases[i].owner};

		text.names = (struct csg_sample_names){.owner = owner, .who = who};
		text.fields.set = 1u << CSG_FIELD_MACHINE_PID | 1u << CSG_FIELD_VCPU |
				  1u << CSG_FIELD_COMM | 1u << CSG_FIELD_PID | 1u << CSG_FIELD_TID;
		text.fields.chosen = true;
		csg_out_init(&out, -1);
		csg_sample_print(&text, &sample, &branch);
		out.buf[out.used] = 0;
		CU_ASSERT_STRING_EQUAL(out.buf, cases[i].line);
	}
}

CSG_SUITE(script, sample_text, CSG_TEST(lines_are_those_of_perf), CSG_TEST(with_chosen_fields_too),
	  CSG_TEST(the_border_between_worlds_is_shown),
	  CSG_TEST(guests_have_their_machine_and_vcpu),
	  CSG_TEST(instrumentation_has_its_value_and_no_address),
	  CSG_TEST(errors_have_a_line_of_their_own),
	  CSG_TEST(what_is_kept_is_printed_where_there_is_no_time),
	  CSG_TEST(what_is_kept_is_not_printed_at_another_time),
	  CSG_TEST(a_thread_renamed_where_the_time_is_not_known_has_no_name),
	  CSG_TEST(a_record_names_the_thread_of_an_unknown_owner));
