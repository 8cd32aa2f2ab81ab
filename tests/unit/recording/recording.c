/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording/recording.h"

#include "csguest/error.h"
#include "encoder/tracing_data.h"
#include "recording/model/store.h"
#include "recording/perf_bytes.h"
#include "suite.h"

static void trcconfigr_says_what_the_virtual_context_is(void)
{
	struct csg_source source = {.trcconfigr = 0};

	CU_ASSERT_EQUAL(csg_source_vctx(&source), CSG_VCTX_NONE);
	source.trcconfigr = 1u << 7;
	CU_ASSERT_EQUAL(csg_source_vctx(&source), CSG_VCTX_VMID);
	source.trcconfigr = 1u << 7 | 1u << 15;
	CU_ASSERT_EQUAL(csg_source_vctx(&source), CSG_VCTX_CONTEXTIDR_EL2);
	source.trcconfigr = 1u << 15;
	CU_ASSERT_EQUAL(csg_source_vctx(&source), CSG_VCTX_NONE);
}

static void a_raw_chunk_is_of_its_cpus_source(void)
{
	struct csg_source source = {.queue = 3, .cpu = 1};
	struct csg_chunk chunk = {.queue = 3, .cpu = 2, .framing = CSG_FRAMES};

	CU_ASSERT(csg_chunk_is_of(&chunk, &source));
	chunk.framing = CSG_RAW;
	CU_ASSERT(!csg_chunk_is_of(&chunk, &source));
	chunk.cpu = 1;
	CU_ASSERT(csg_chunk_is_of(&chunk, &source));
	chunk.queue = 2;
	CU_ASSERT(!csg_chunk_is_of(&chunk, &source));
}

static void a_queues_chunks_lie_next_to_each_other(void)
{
	struct csg_chunk chunks[] = {{.queue = 1}, {.queue = 4}, {.queue = 4}, {.queue = 7}};
	const struct csg_recording rec = {.chunks = chunks, .n_chunks = 4};
	size_t n;

	CU_ASSERT_PTR_EQUAL(csg_recording_queue(&rec, 1, &n), &chunks[0]);
	CU_ASSERT_EQUAL(n, 1);
	CU_ASSERT_PTR_EQUAL(csg_recording_queue(&rec, 4, &n), &chunks[1]);
	CU_ASSERT_EQUAL(n, 2);
	CU_ASSERT_PTR_EQUAL(csg_recording_queue(&rec, 7, &n), &chunks[3]);
	CU_ASSERT_EQUAL(n, 1);
	csg_recording_queue(&rec, 5, &n);
	CU_ASSERT_EQUAL(n, 0);
}

static int open_path(struct csg_recording **rec, const char *path, struct pb_seen *seen)
{
	struct csg_diag_sink sink = {pb_see, seen};

	memset(seen, 0, sizeof(*seen));
	return csg_recording_load(rec, path, NULL, &sink);
}

static void what_is_no_recording_is_refused(void)
{
	struct csg_recording *rec;
	struct pb_seen seen;
	struct pb_dir dir;

	pb_dir_make(&dir);
	CU_ASSERT_EQUAL(open_path(&rec, dir.path, &seen), -CSG_E_BAD_MAGIC);
	CU_ASSERT_PTR_NULL(rec);
	CU_ASSERT_EQUAL(seen.errors, 1);
	CU_ASSERT_EQUAL(open_path(&rec, pb_write_text(&dir, "x", "hello"), &seen),
			-CSG_E_BAD_MAGIC);
	CU_ASSERT_EQUAL(open_path(&rec, pb_write_text(&dir, "x.ini", "hello"), &seen),
			-CSG_E_NO_TRACE);
	CU_ASSERT_EQUAL(open_path(&rec, "/nowhere", &seen), -CSG_E_NOT_FOUND);
	CU_ASSERT_EQUAL(seen.errors, 1);
	CU_ASSERT_EQUAL(csg_recording_load(&rec, "/nowhere", NULL, NULL), -CSG_E_NOT_FOUND);
	csg_recording_close(NULL);
	pb_dir_remove(&dir);
}

struct order {
	int n, stop_at;
	const char *comms[8];
	uint64_t times[8];
};

static int note(void *arg, const struct csg_event *event)
{
	struct order *order = arg;

	order->times[order->n] = event->time;
	order->comms[order->n++] = event->kind == CSG_EVENT_COMM ? event->comm : event->map.path;
	return order->n == order->stop_at ? 77 : 0;
}

static void events_come_in_order_and_as_asked_for(void)
{
	struct pb_file file = {0};
	struct csg_recording *rec;
	struct order order = {0};
	struct pb_seen seen;
	struct pb_dir dir;
	struct pb bytes;

	pb_dir_make(&dir);
	pb_small(&file);
	bytes = pb_file_bytes(&file);
	CU_ASSERT_EQUAL_FATAL(
		open_path(&rec, pb_write(&dir, "perf.data", bytes.bytes, bytes.n), &seen), 0);
	CU_ASSERT_EQUAL(csg_recording_events(rec, UINT32_MAX, note, &order), 0);
	CU_ASSERT_EQUAL(order.n, 3);
	CU_ASSERT_STRING_EQUAL(order.comms[0], "early");
	CU_ASSERT_STRING_EQUAL(order.comms[1], "late");
	CU_ASSERT_STRING_EQUAL(order.comms[2], "/bin/true");
	order = (struct order){0};
	CU_ASSERT_EQUAL(csg_recording_events(rec, 1u << CSG_EVENT_MAP, note, &order), 0);
	CU_ASSERT_EQUAL(order.n, 1);
	CU_ASSERT_EQUAL(order.times[0], 3000);
	order = (struct order){.stop_at = 2};
	CU_ASSERT_EQUAL(csg_recording_events(rec, UINT32_MAX, note, &order), 77);
	CU_ASSERT_EQUAL(order.n, 2);
	CU_ASSERT_PTR_NULL(csg_recording_event_name(rec, 0));
	CU_ASSERT_PTR_NULL(csg_recording_event_name(rec, UINT64_MAX));
	csg_recording_close(rec);
	pb_free(&bytes);
	pb_file_free(&file);
	pb_dir_remove(&dir);
}

static void mappings_get_the_build_ids_of_the_header(void)
{
	struct pb_file file = {0};
	struct csg_recording *rec;
	struct csg_event event;
	struct pb_seen seen;
	struct pb_dir dir;
	struct pb bytes, *ids;
	size_t at;

	pb_dir_make(&dir);
	pb_small(&file);
	ids = pb_feature(&file, CSG_PERF_BUILD_ID);
	at = pb_begin(ids, CSG_PERF_RECORD_BUILD_ID, 0x8002);
	pb_u32(ids, (uint32_t)-1);
	for (uint32_t i = 0; i < 5; i++)
		pb_u32(ids, 0x01010101);
	pb_u32(ids, 20);
	pb_text(ids, "/bin/true");
	pb_end(ids, at);
	bytes = pb_file_bytes(&file);
	CU_ASSERT_EQUAL_FATAL(
		open_path(&rec, pb_write(&dir, "perf.data", bytes.bytes, bytes.n), &seen), 0);
	csg_events_get(&rec->events, 2, &event);
	csg_build_ids_apply(&rec->build_ids, &rec->strings, 0, &event.map);
	CU_ASSERT_EQUAL(event.map.build_id_size, 20);
	csg_recording_close(rec);
	pb_free(&bytes);
	pb_file_free(&file);
	pb_dir_remove(&dir);
}

/* The first event of a recording is kvm:kvm_entry. */
static struct csg_kvm_event kvm_entry(bool sampled)
{
	struct csg_store_event attr = {"kvm:kvm_entry", CSG_ENC_KVM_ENTRY, sampled};
	struct csg_recording rec = {.event_attrs = &attr, .n_event_attrs = 1};
	struct csg_enc_bytes formats = {0}, raw = {0};
	struct csg_kvm_event event = {0};
	struct csg_event sample = {0};

	csg_enc_tracing_data(&formats);
	csg_kvm_formats_read(&rec.kvm_formats, formats.data, formats.size);
	csg_enc_kvm_entry(&raw, 144, 0x1000);
	sample.sample.raw = raw.data + 4;
	sample.sample.raw_len = (uint32_t)raw.size - 4;
	CU_ASSERT(csg_recording_kvm_event(&rec, &sample, &event));
	csg_enc_bytes_fini(&formats);
	csg_enc_bytes_fini(&raw);
	return event;
}

static void of_kvms_events_that_were_sampled_the_thread_alone_is_known(void)
{
	CU_ASSERT(kvm_entry(false).has_pc);
	CU_ASSERT_FALSE(kvm_entry(true).has_pc);
}

CSG_SUITE(recording, recording, CSG_TEST(trcconfigr_says_what_the_virtual_context_is),
	  CSG_TEST(a_raw_chunk_is_of_its_cpus_source),
	  CSG_TEST(a_queues_chunks_lie_next_to_each_other),
	  CSG_TEST(what_is_no_recording_is_refused),
	  CSG_TEST(of_kvms_events_that_were_sampled_the_thread_alone_is_known),
	  CSG_TEST(events_come_in_order_and_as_asked_for),
	  CSG_TEST(mappings_get_the_build_ids_of_the_header));
