/* SPDX-License-Identifier: BSD-3-Clause */
#include "encoder/snapshot_writer.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "csguest/error.h"
#include "encoder/bytes.h"

__attribute__((format(printf, 2, 3))) static void text(struct csg_enc_bytes *b, const char *format,
						       ...)
{
	char line[400];
	va_list ap;

	va_start(ap, format);
	vsnprintf(line, sizeof(line), format, ap);
	va_end(ap);
	csg_enc_bytes_put(b, line, strlen(line));
}

static int save(const char *directory, const char *name, struct csg_enc_bytes *b)
{
	char path[4096];
	int ret;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	ret = csg_enc_bytes_save(b, path);
	csg_enc_bytes_fini(b);
	return ret;
}

static int save_data(const char *directory, const char *name, const void *data, size_t size)
{
	struct csg_enc_bytes b = {0};

	csg_enc_bytes_put(&b, data, size);
	return save(directory, name, &b);
}

static int write_snapshot_ini(const struct csg_enc_snapshot *s, const char *directory)
{
	struct csg_enc_bytes b = {0};

	text(&b, "[snapshot]\nversion=1.0\n\n[device_list]\n");
	for (unsigned i = 0; i < s->core_count; i++) {
		text(&b, "device%u=cpu_%u.ini\n", 2 * i, i);
		text(&b, "device%u=unit_%u.ini\n", 2 * i + 1, i);
	}
	text(&b, "\n[trace]\nmetadata=trace.ini\n");
	return save(directory, "snapshot.ini", &b);
}

static const char *unit_name(const struct csg_enc_snapshot_core *core)
{
	return core->model->ete ? "ETE" : "ETM";
}

static int write_trace_ini(const struct csg_enc_snapshot *s, const char *directory)
{
	struct csg_enc_bytes b = {0};

	text(&b, "[trace_buffers]\nbuffers=");
	for (unsigned i = 0; i < s->buffer_count; i++)
		text(&b, "%sbuffer%u", i ? "," : "", i);
	for (unsigned i = 0; i < s->buffer_count; i++)
		text(&b, "\n\n[buffer%u]\nname=SINK_%u\nfile=%s\nformat=%s", i, i,
		     s->buffers[i].file, s->buffers[i].raw ? "source_data" : "coresight");
	text(&b, "\n\n[source_buffers]\n");
	for (unsigned i = 0; i < s->core_count; i++)
		text(&b, "%s_%u=SINK_%u\n", unit_name(&s->cores[i]), i, s->cores[i].buffer);
	text(&b, "\n[core_trace_sources]\n");
	for (unsigned i = 0; i < s->core_count; i++)
		text(&b, "cpu_%u=%s_%u\n", i, unit_name(&s->cores[i]), i);
	return save(directory, "trace.ini", &b);
}

static int write_core(const struct csg_enc_snapshot *s, unsigned core, const char *directory)
{
	struct csg_enc_bytes b = {0};
	char name[32];

	text(&b, "[device]\nname=cpu_%u\nclass=core\ntype=%s\n\n", core, s->cores[core].type);
	text(&b, "[regs]\nPC(size:64)=0x0\nSP(size:64)=0x0\nSCTLR_EL1=0x1007\nCPSR=0x1C5\n");
	for (unsigned i = 0; i < s->dump_count; i++) {
		const struct csg_enc_snapshot_dump *d = &s->dumps[i];

		text(&b, "\n[dump%u]\nfile=%s\naddress=0x%" PRIx64 "\nlength=0x%zx\n", i + 1,
		     d->file, d->address, d->size);
		if (d->space)
			text(&b, "space=%s\n", d->space);
	}
	snprintf(name, sizeof(name), "cpu_%u.ini", core);
	return save(directory, name, &b);
}

static int write_unit(const struct csg_enc_snapshot *s, unsigned core, const char *directory)
{
	const struct csg_enc_model *model = s->cores[core].model;
	struct csg_enc_registers r;
	struct csg_enc_bytes b = {0};
	char name[32];

	csg_enc_model_registers(model, &r);
	text(&b, "[device]\nname=%s_%u\nclass=trace_source\ntype=%s\n\n[regs]\n",
	     unit_name(&s->cores[core]), core, model->ete ? "ETE" : "ETM4");
	text(&b, "TRCCONFIGR(0x004)=0x%08x\nTRCTRACEIDR(0x010)=0x%08x\n", r.configr, r.traceidr);
	text(&b, "TRCAUTHSTATUS(0x3EE)=0x%08x\n", r.authstatus);
	text(&b, "TRCIDR0(0x078)=0x%08x\nTRCIDR1(0x079)=0x%08x\n", r.idr0, r.idr1);
	text(&b, "TRCIDR2(0x07A)=0x%08x\nTRCIDR8(0x060)=0x%08x\n", r.idr2, r.idr8);
	if (model->ete)
		text(&b, "TRCDEVARCH=0x%08x\n", r.devarch);
	for (unsigned i = 9; !model->ete && i <= 13; i++)
		text(&b, "TRCIDR%u(0x%03x)=0x00000000\n", i, 0x61 + i - 9);
	snprintf(name, sizeof(name), "unit_%u.ini", core);
	return save(directory, name, &b);
}

int csg_enc_snapshot_write(const struct csg_enc_snapshot *s, const char *directory)
{
	int ret = write_snapshot_ini(s, directory);

	if (!ret)
		ret = write_trace_ini(s, directory);
	for (unsigned i = 0; !ret && i < s->core_count; i++) {
		ret = write_core(s, i, directory);
		if (!ret)
			ret = write_unit(s, i, directory);
	}
	for (unsigned i = 0; !ret && i < s->buffer_count; i++)
		ret = save_data(directory, s->buffers[i].file, s->buffers[i].data,
				s->buffers[i].size);
	for (unsigned i = 0; !ret && i < s->dump_count; i++)
		ret = save_data(directory, s->dumps[i].file, s->dumps[i].data, s->dumps[i].size);
	return ret;
}
