/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording/snapshot/snapshot.h"
#include "recording/recording.h"

#include "csguest/error.h"
#include "recording/perf_bytes.h"
#include "suite.h"

#define REGS "[regs]\nTRCCONFIGR=1\nTRCIDR0=1\nTRCIDR2=2\nTRCTRACEIDR="

struct made {
	struct pb_dir dir;
	struct csg_recording *rec;
	struct pb_seen seen;
};

/* Two cores with a source each; trace.ini is the test's. */
static void begin(struct made *made, const char *trace)
{
	memset(made, 0, sizeof(*made));
	pb_dir_make(&made->dir);
	pb_write_text(&made->dir, "snapshot.ini",
		      "[snapshot]\nversion=1.0\n[device_list]\n0=c0.ini\n1=c1.ini\n2=e0.ini\n"
		      "3=e1.ini\n4=s.ini\n[trace]\nmetadata=trace.ini\n");
	pb_write_text(&made->dir, "c0.ini",
		      "[device]\nname=cpu_4\nclass=core\ntype=Cortex-A53\n[dump1]\nfile=mem\n"
		      "address=0x1000\nlength=4\noffset=2\n[dump2]\nfile=mem\naddress=0x2000\n");
	pb_write_text(
		&made->dir, "c1.ini",
		"[device]\nname=cpu_2\nclass=core\ntype=Cortex-M33\n[dump1]\nfile=mem\n"
		"address=0x1000\nlength=100\nspace=N\n[dump2]\nfile=gone\naddress=1\n[dump3]\n"
		"file=mem\n");
	pb_write_text(&made->dir, "e0.ini",
		      "[device]\nname=ETM_0\nclass=trace_source\ntype=ETM4.0\n" REGS "0x12\n");
	pb_write_text(&made->dir, "e1.ini",
		      "[device]\nname=ETM_1\nclass=trace_source\ntype=ETE\n" REGS "0x10\n");
	pb_write_text(
		&made->dir, "s.ini",
		"[device]\nname=STM\nclass=trace_source\ntype=STM\n[regs]\nSTMTCSR=0x200000\n");
	pb_write_text(&made->dir, "mem", "0123456789");
	pb_write_text(&made->dir, "t0.bin", "0123456789abcdef");
	pb_write_text(&made->dir, "t1.bin", "0123");
	pb_write_text(&made->dir, "trace.ini", trace);
}

static int open_it(struct made *made)
{
	struct csg_diag_sink sink = {pb_see, &made->seen};

	memset(&made->seen, 0, sizeof(made->seen));
	return csg_recording_load(&made->rec, made->dir.path, NULL, &sink);
}

static void end(struct made *made)
{
	csg_recording_close(made->rec);
	pb_dir_remove(&made->dir);
}

static void a_shared_buffer_has_all_its_sources(void)
{
	struct made made;
	const struct csg_source *s;
	const struct csg_chunk *c;

	begin(&made, "[trace_buffers]\nbuffers=b0\n[b0]\nname=ETB\nfile=t0.bin\nformat=coresight\n"
		     "[source_buffers]\nETM_0=ETB\nETM_1=ETB\nSTM=ETB\n"
		     "[core_trace_sources]\ncpu_4=ETM_0\ncpu_2=ETM_1\n");
	CU_ASSERT_EQUAL_FATAL(open_it(&made), 0);
	CU_ASSERT_EQUAL_FATAL(made.rec->n_sources, 3);
	s = made.rec->sources;
	CU_ASSERT_EQUAL(s[0].trace_id, 0x10);
	CU_ASSERT_EQUAL(s[0].cpu, 2);
	CU_ASSERT(s[0].cortex_m);
	CU_ASSERT_EQUAL(s[0].protocol, CSG_PROTOCOL_ETE);
	CU_ASSERT_EQUAL(s[1].trace_id, 0x12);
	CU_ASSERT_EQUAL(s[1].cpu, 4);
	CU_ASSERT_STRING_EQUAL(s[1].core_type, "Cortex-A53");
	CU_ASSERT(!s[1].cortex_m);
	CU_ASSERT_EQUAL(s[2].protocol, CSG_PROTOCOL_OTHER);
	CU_ASSERT_EQUAL(s[2].cpu, CSG_NO_CPU);
	c = made.rec->chunks;
	CU_ASSERT_EQUAL_FATAL(made.rec->n_chunks, 1);
	CU_ASSERT_EQUAL(c->framing, CSG_FRAMES);
	CU_ASSERT_EQUAL(c->bytes, 16);
	CU_ASSERT_EQUAL(made.rec->info.kind, CSG_RECORDING_SNAPSHOT);
	CU_ASSERT(!made.rec->info.linux_host);
	CU_ASSERT_EQUAL(made.rec->info.cpus_available, 2);
	end(&made);
}

static void dumps_lie_in_their_files(void)
{
	struct made made;
	const struct csg_dump *d;

	begin(&made, "[trace_buffers]\nbuffers=b0\n[b0]\nname=ETB\nfile=t0.bin\n"
		     "[source_buffers]\nETM_0=ETB\n");
	CU_ASSERT_EQUAL_FATAL(open_it(&made), 0);
	d = made.rec->dumps;
	CU_ASSERT_EQUAL_FATAL(made.rec->n_dumps, 3);
	CU_ASSERT_EQUAL(d[0].offset, 2);
	CU_ASSERT_EQUAL(d[0].size, 4);
	CU_ASSERT_EQUAL(d[0].cpu, 4);
	CU_ASSERT_PTR_NULL(d[0].space);
	CU_ASSERT_EQUAL(d[1].size, 10);
	CU_ASSERT_EQUAL(d[2].size, 10);
	CU_ASSERT_EQUAL(d[2].cpu, 2);
	CU_ASSERT_STRING_EQUAL(d[2].space, "N");
	CU_ASSERT_EQUAL(made.seen.warnings, 3); /* too long, not there, without address */
	end(&made);
}

static void each_session_of_a_core_has_its_queue(void)
{
	struct made made;

	begin(&made,
	      "[trace_buffers]\nbuffers=b1,b2\n[b1]\nname=S1\nfile=t0.bin\nformat=source_data\n"
	      "[b2]\nname=S2\nfile=t1.bin\nformat=source_data\n"
	      "[source_buffers]\nETM_0=S1\nETM_1=S2\n"
	      "[core_trace_sources]\ncpu_4=ETM_0\ncpu_4=ETM_1\n");
	CU_ASSERT_EQUAL_FATAL(open_it(&made), 0);
	CU_ASSERT_EQUAL_FATAL(made.rec->n_sources, 2);
	CU_ASSERT_EQUAL(made.rec->sources[0].queue, 0);
	CU_ASSERT_EQUAL(made.rec->sources[1].queue, 1);
	CU_ASSERT_EQUAL(made.rec->sources[0].cpu, 4);
	CU_ASSERT_EQUAL(made.rec->sources[1].cpu, 4);
	CU_ASSERT_EQUAL(made.rec->chunks[1].framing, CSG_RAW);
	CU_ASSERT_EQUAL(made.rec->chunks[1].cpu, 4);
	CU_ASSERT_EQUAL(made.rec->chunks[1].bytes, 4);
	end(&made);
}

static void a_probes_buffer_has_syncs(void)
{
	struct made made;

	begin(&made,
	      "[trace_buffers]\nbuffers=b\n[b]\nname=D\nfile=t0.bin\nformat=dstream_coresight\n"
	      "[source_buffers]\nETM_0=D\n");
	CU_ASSERT_EQUAL_FATAL(open_it(&made), 0);
	CU_ASSERT_EQUAL(made.rec->chunks[0].framing, CSG_FRAMES_TPIU);
	end(&made);
}

static void raw_bytes_have_one_source(void)
{
	struct made made;

	begin(&made, "[trace_buffers]\nbuffers=b\n[b]\nname=D\nfile=t0.bin\nformat=source_data\n"
		     "[source_buffers]\nETM_1=D\nETM_0=D\n");
	CU_ASSERT_EQUAL_FATAL(open_it(&made), 0);
	CU_ASSERT_EQUAL_FATAL(made.rec->n_sources, 1);
	CU_ASSERT_STRING_EQUAL(made.rec->sources[0].name, "ETM_1");
	end(&made);
}

static void what_is_missing_is_left_out(void)
{
	struct made made;

	begin(&made, "[trace_buffers]\nbuffers=b0,b1,b2\n[b0]\nname=D\nfile=gone.bin\n"
		     "[b1]\nfile=t0.bin\n[b2]\nname=E\nfile=t1.bin\n"
		     "[source_buffers]\nETM_0=E\nnobody=E\nETM_1=D\n");
	CU_ASSERT_EQUAL_FATAL(open_it(&made), 0);
	CU_ASSERT_EQUAL_FATAL(made.rec->n_sources, 1);
	CU_ASSERT_EQUAL(made.rec->sources[0].queue, 2);
	CU_ASSERT_EQUAL(made.seen.warnings, 3 + 3);
	end(&made);
	begin(&made, "[trace_buffers]\nbuffers=b0\n[b0]\nname=D\nfile=t0.bin\n");
	CU_ASSERT_EQUAL(open_it(&made), -CSG_E_NO_TRACE);
	CU_ASSERT_EQUAL(made.seen.errors, 1);
	end(&made);
}

static void cores_of_the_same_number_are_counted(void)
{
	struct made made;

	begin(&made, "[trace_buffers]\nbuffers=b0\n[b0]\nname=ETB\nfile=t0.bin\n"
		     "[source_buffers]\nETM_0=ETB\nETM_1=ETB\n"
		     "[core_trace_sources]\nCortex-A53_0=ETM_0\nCortex-A57_0=ETM_1\n");
	pb_write_text(&made.dir, "c0.ini", "[device]\nname=Cortex-A53_0\nclass=core\n");
	pb_write_text(&made.dir, "c1.ini", "[device]\nname=Cortex-A57_0\nclass=core\n");
	CU_ASSERT_EQUAL_FATAL(open_it(&made), 0);
	CU_ASSERT_EQUAL(made.rec->sources[0].cpu, 1);
	CU_ASSERT_EQUAL(made.rec->sources[1].cpu, 0);
	end(&made);
}

CSG_SUITE(recording_snapshot, snapshot, CSG_TEST(a_shared_buffer_has_all_its_sources),
	  CSG_TEST(dumps_lie_in_their_files), CSG_TEST(each_session_of_a_core_has_its_queue),
	  CSG_TEST(a_probes_buffer_has_syncs), CSG_TEST(raw_bytes_have_one_source),
	  CSG_TEST(what_is_missing_is_left_out), CSG_TEST(cores_of_the_same_number_are_counted));
