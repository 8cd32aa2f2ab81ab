/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording/model/tracing_data.h"

#include <stdlib.h>
#include <string.h>

#include "encoder/tracing_data.h"
#include "suite.h"

static struct csg_tracepoint_format text_format(const char *text)
{
	return (struct csg_tracepoint_format){text, strlen(text)};
}

static void a_format_is_found_by_system_and_name(void)
{
	struct csg_enc_bytes b = {0};
	struct csg_tracepoint_format f;
	struct csg_tracepoint_field field;
	uint64_t id;

	csg_enc_tracing_data(&b);
	CU_ASSERT_FATAL(csg_tracing_data_find(b.data, b.size, "kvm", "kvm_entry", &f));
	CU_ASSERT(csg_tracepoint_id(&f, &id));
	CU_ASSERT_EQUAL(id, CSG_ENC_KVM_ENTRY);
	CU_ASSERT_FATAL(csg_tracepoint_find(&f, "vcpu_pc", &field));
	CU_ASSERT_EQUAL(field.offset, 8);
	CU_ASSERT_EQUAL(field.size, 8);
	CU_ASSERT(!csg_tracepoint_find(&f, "esr_ec", &field));
	CU_ASSERT_FATAL(csg_tracing_data_find(b.data, b.size, "kvm", "kvm_exit", &f));
	CU_ASSERT(csg_tracepoint_find(&f, "vcpu_pc", &field));
	CU_ASSERT_EQUAL(field.offset, 16);
	CU_ASSERT(!csg_tracing_data_find(b.data, b.size, "kvm", "kvm_exi", &f));
	CU_ASSERT(!csg_tracing_data_find(b.data, b.size, "sched", "kvm_exit", &f));
	csg_enc_bytes_fini(&b);
}

/* Each length in memory of its own, so that the sanitizer sees who reads on. */
static void data_that_is_cut_short_anywhere_is_read_to_its_end(void)
{
	struct csg_enc_bytes b = {0};
	struct csg_tracepoint_format f;
	size_t found = 0;

	csg_enc_tracing_data(&b);
	for (size_t n = 0; n < b.size; n++) {
		uint8_t *copy = malloc(n ? n : 1);

		memcpy(copy, b.data, n);
		found += csg_tracing_data_find(copy, n, "sched", "sched_waking", &f);
		free(copy);
	}
	/* It is the last: only the empty tables after it may be missing. */
	CU_ASSERT_EQUAL(found, 16);
	csg_enc_bytes_fini(&b);
}

static void counts_and_sizes_are_not_believed(void)
{
	struct csg_enc_bytes b = {0};
	struct csg_tracepoint_format f;

	csg_enc_tracing_data(&b);
	for (size_t i = 0; i < b.size; i++) {
		uint8_t byte = b.data[i];

		b.data[i] = 0xff;
		csg_tracing_data_find(b.data, b.size, "kvm", "kvm_entry", &f);
		b.data[i] = byte;
	}
	b.data[4] ^= 1; /* "tracing" */
	CU_ASSERT(!csg_tracing_data_find(b.data, b.size, "kvm", "kvm_entry", &f));
	b.data[4] ^= 1;
	CU_ASSERT(csg_tracing_data_find(b.data, b.size, "kvm", "kvm_entry", &f));
	b.data[14] = 1; /* big endian */
	CU_ASSERT(!csg_tracing_data_find(b.data, b.size, "kvm", "kvm_entry", &f));
	csg_enc_bytes_fini(&b);
}

static bool reads(const char *line)
{
	struct csg_tracepoint_format f = text_format(line);
	struct csg_tracepoint_field field;

	return csg_tracepoint_find(&f, "pc", &field);
}

static void a_field_is_a_number_with_a_type_and_a_place(void)
{
	CU_ASSERT(reads("\tfield:unsigned long pc;\toffset:8;\tsize:8;\tsigned:0;"));
	CU_ASSERT(reads("name: x\n field:u32 pc;offset:8;size:4;\n"));
	CU_ASSERT(!reads("\tfield:pc;\toffset:8;\tsize:8;"));
	CU_ASSERT(!reads("\tfield:u64 vcpu_pc;\toffset:8;\tsize:8;"));
	CU_ASSERT(!reads("\tfield:u64 pc[2];\toffset:8;\tsize:16;"));
	CU_ASSERT(reads("\tfield:u8\tpc;\toffset:65535;\tsize:1;"));
	CU_ASSERT(reads("\tfield:u16 pc;\toffset:8;\tsize:2;"));
	CU_ASSERT(!reads("\tfield:u64 pc;\toffset:65536;\tsize:8;"));
	CU_ASSERT(
		!reads("\tfield:u64 pc;\toffset:8;\tsize:3;\n\tfield:u64 pc;\toffset:8;\tsize:8;"));
	CU_ASSERT(!reads("\tfield:u64 pc;\toffset:8;\tsize:16;"));
	CU_ASSERT(!reads("\tfield:u64 pc;\toffset:-8;\tsize:8;"));
	CU_ASSERT(!reads("\tfield:u64 pc;\toffset:99999999999999999999;\tsize:8;"));
	CU_ASSERT(!reads("\tfield:u64 pc;\tsize:8;"));
	CU_ASSERT(!reads("print fmt: \"field:u64 pc; offset:8; size:8;\""));
	CU_ASSERT(!reads(""));
}

static void the_number_of_an_event_is_all_of_its_line(void)
{
	struct csg_tracepoint_format f = text_format("name: x\nID: 62\n");
	uint64_t id;

	CU_ASSERT(csg_tracepoint_id(&f, &id));
	CU_ASSERT_EQUAL(id, 62);
	f = text_format("name: x\r\nID: 62 \r\n");
	CU_ASSERT(csg_tracepoint_id(&f, &id));
	f = text_format("name: x\nID: 62a\n");
	CU_ASSERT(!csg_tracepoint_id(&f, &id));
	f = text_format("name: x\nID:\n");
	CU_ASSERT(!csg_tracepoint_id(&f, &id));
	f = text_format("name: x\n");
	CU_ASSERT(!csg_tracepoint_id(&f, &id));
}

static void a_value_beyond_the_raw_bytes_is_none(void)
{
	static const uint8_t raw[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
	struct csg_tracepoint_field field = {1, 2};
	uint64_t v;

	CU_ASSERT(csg_tracepoint_get(&field, raw, 9, &v));
	CU_ASSERT_EQUAL(v, 0x302);
	field = (struct csg_tracepoint_field){1, 8};
	CU_ASSERT(csg_tracepoint_get(&field, raw, 9, &v));
	CU_ASSERT_EQUAL(v, UINT64_C(0x0908070605040302));
	CU_ASSERT(!csg_tracepoint_get(&field, raw, 8, &v));
	field.offset = UINT32_MAX;
	CU_ASSERT(!csg_tracepoint_get(&field, raw, 9, &v));
	field = (struct csg_tracepoint_field){0, 9};
	CU_ASSERT(!csg_tracepoint_get(&field, raw, 9, &v));
	field = (struct csg_tracepoint_field){0};
	CU_ASSERT(!csg_tracepoint_get(&field, raw, 9, &v));
	CU_ASSERT(!csg_tracepoint_get(&(struct csg_tracepoint_field){0, 1}, NULL, 0, &v));
}

CSG_SUITE(recording_model, tracing_data, CSG_TEST(a_format_is_found_by_system_and_name),
	  CSG_TEST(data_that_is_cut_short_anywhere_is_read_to_its_end),
	  CSG_TEST(counts_and_sizes_are_not_believed),
	  CSG_TEST(a_field_is_a_number_with_a_type_and_a_place),
	  CSG_TEST(the_number_of_an_event_is_all_of_its_line),
	  CSG_TEST(a_value_beyond_the_raw_bytes_is_none));
