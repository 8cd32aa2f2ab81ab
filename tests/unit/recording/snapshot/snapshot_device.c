/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording/snapshot/snapshot_device.h"

#include "csguest/error.h"
#include "recording/perf_bytes.h"
#include "suite.h"

struct made {
	struct csg_recording *rec;
	struct csg_snapshot_device device;
	struct csg_source source;
	struct pb_seen seen;
	const char *missing;
};

static void begin(struct made *made, const char *ini)
{
	memset(made, 0, sizeof(*made));
	made->rec = calloc(1, sizeof(*made->rec));
	made->rec->sink = (struct csg_diag_sink){pb_see, &made->seen};
	CU_ASSERT_EQUAL(
		csg_snapshot_device_read(&made->device, made->rec, "d.ini", ini, strlen(ini)), 0);
}

static void end(struct made *made)
{
	csg_snapshot_device_fini(&made->device);
	csg_recording_close(made->rec);
}

static bool source(struct made *made)
{
	return csg_snapshot_device_source(&made->device, &made->source, &made->missing);
}

static void an_etmv4_has_its_registers(void)
{
	struct made made;

	begin(&made, "[device]\nname=ETM_0\nclass=trace_source\ntype=ETM4.2\n[regs]\n"
		     "TRCCONFIGR(0x004)=0x000000C1\nTRCTRACEIDR(id:0x10)=0x00000090\n"
		     "TRCIDR0=1\nTRCIDR2=2\nTRCIDR8=3\nTRCAUTHSTATUS=0xCC\nTRCIDR13=9\n");
	CU_ASSERT(source(&made));
	CU_ASSERT_STRING_EQUAL(made.source.name, "ETM_0");
	CU_ASSERT_EQUAL(made.source.protocol, CSG_PROTOCOL_ETMV4);
	CU_ASSERT_EQUAL(made.source.trace_id, 0x10);
	CU_ASSERT_EQUAL(made.source.trcconfigr, 0xc1);
	CU_ASSERT_EQUAL(made.source.trcidr1, 0x4100F403); /* as OpenCSD has it by default */
	CU_ASSERT_EQUAL(made.source.trcidr8, 3);
	CU_ASSERT_EQUAL(made.source.trcdevarch, 0);
	CU_ASSERT_EQUAL(made.source.ts_source, CSG_TS_SOURCE_UNKNOWN);
	end(&made);
}

static void an_ete_has_an_architecture(void)
{
	struct made made;

	begin(&made, "[device]\nname=E\ntype=ETE\n[regs]\nTRCCONFIGR=1\nTRCTRACEIDR=1\nTRCIDR0=1\n"
		     "TRCIDR2=2\n");
	CU_ASSERT(source(&made));
	CU_ASSERT_EQUAL(made.source.protocol, CSG_PROTOCOL_ETE);
	CU_ASSERT_EQUAL(made.source.trcdevarch, 0x47705A13);
	end(&made);
}

static void a_register_that_is_needed_is_named(void)
{
	struct made made;

	begin(&made,
	      "[device]\nname=E\ntype=ETE\n[regs]\nTRCCONFIGR=1\nTRCTRACEIDR=1\nTRCIDR2=2\n");
	CU_ASSERT(!source(&made));
	CU_ASSERT_STRING_EQUAL(made.missing, "TRCIDR0");
	end(&made);
	begin(&made, "[device]\nname=E\n");
	CU_ASSERT(!source(&made));
	CU_ASSERT_STRING_EQUAL(made.missing, "type");
	end(&made);
}

static void other_sources_have_their_trace_id(void)
{
	static const struct {
		const char *ini;
		uint8_t id;
	} all[] = {
		{"[device]\nname=S\ntype=STM\n[regs]\nSTMTCSR(0x3A0)=0x00A00005\n", 0x20},
		{"[device]\nname=I\ntype=ITM\n[regs]\nITMTCR=0x00130005\n", 0x13},
		{"[device]\nname=P\ntype=PTM1.1\n[regs]\nETMTRACEIDR=0x11\n", 0x11},
		{"[device]\nname=3\ntype=ETM3.5\n[regs]\nETMTRACEIDR=0x12\n", 0x12},
	};
	struct made made;

	for (size_t i = 0; i < 4; i++) {
		begin(&made, all[i].ini);
		CU_ASSERT(source(&made));
		CU_ASSERT_EQUAL(made.source.protocol, CSG_PROTOCOL_OTHER);
		CU_ASSERT_EQUAL(made.source.trace_id, all[i].id);
		end(&made);
	}
}

static void dumps_are_taken_by_section(void)
{
	struct made made;

	begin(&made, "[device]\nname=cpu_0\nclass=core\n[dump1]\nfile=\"a b.bin\"\naddress=0x1000\n"
		     "length=0x20\noffset=8\nspace=EL1N\n[dump.text]\nfile=c\naddress=0\n[dump3]\n"
		     "length=5\n");
	CU_ASSERT_EQUAL_FATAL(made.device.n_dumps, 3);
	CU_ASSERT_STRING_EQUAL(made.device.dumps[0].file, "a b.bin");
	CU_ASSERT_EQUAL(made.device.dumps[0].address, 0x1000);
	CU_ASSERT_EQUAL(made.device.dumps[0].length, 0x20);
	CU_ASSERT_EQUAL(made.device.dumps[0].offset, 8);
	CU_ASSERT_STRING_EQUAL(made.device.dumps[0].space, "EL1N");
	CU_ASSERT_STRING_EQUAL(made.device.dumps[1].file, "c");
	CU_ASSERT(made.device.dumps[1].has_address);
	CU_ASSERT_PTR_NULL(made.device.dumps[2].file);
	CU_ASSERT(!made.device.dumps[2].has_address);
	end(&made);
}

static void bad_lines_are_reported_and_left_out(void)
{
	struct made made;

	begin(&made,
	      "[regs]\nTRCIDR0=zzz\nTRCIDR0\n[dump1]\naddress=q\nfile\n[device]\nname\n[x]\ny\n");
	CU_ASSERT_EQUAL(made.seen.warnings, 5);
	CU_ASSERT_EQUAL(made.device.has_regs, 0);
	CU_ASSERT(!made.device.dumps[0].has_address);
	end(&made);
}

CSG_SUITE(recording_snapshot, snapshot_device, CSG_TEST(an_etmv4_has_its_registers),
	  CSG_TEST(an_ete_has_an_architecture), CSG_TEST(a_register_that_is_needed_is_named),
	  CSG_TEST(other_sources_have_their_trace_id), CSG_TEST(dumps_are_taken_by_section),
	  CSG_TEST(bad_lines_are_reported_and_left_out));
