/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording/snapshot/snapshot_device.h"

#include <stdlib.h>
#include <string.h>

#include "util/report.h"
#include "recording/snapshot/snapshot_ini.h"

/* What OpenCSD takes where a snapshot leaves them out (ss_to_dcdtree.cpp). */
#define TRCIDR1_DEFAULT 0x4100F403u
#define TRCDEVARCH_DEFAULT 0x47705A13u

static const char *const register_names[] = {
#define NAME(name) #name,
	CSG_SNAPSHOT_REGISTERS(NAME)
#undef NAME
};

struct reading {
	struct csg_snapshot_device *device;
	struct csg_recording *rec;
	char section[CSG_SNAPSHOT_INI_LINE + 1]; /* of the last dump */
};

void csg_snapshot_device_fini(struct csg_snapshot_device *device)
{
	free(device->dumps);
	memset(device, 0, sizeof(*device));
}

static int bad_line(const struct reading *reading, const char *key, uint64_t offset)
{
	csg_report(&reading->rec->sink, CSG_WARNING, CSG_E_CORRUPT, reading->device->ini, offset,
		   "correct the line", "\"%s\" has no value that can be read", key);
	return 0;
}

static int take_text(const struct reading *reading, const char **to, const char *value)
{
	*to = csg_strings_keep(&reading->rec->strings, value);
	return *to ? 0 : -CSG_E_NO_MEMORY;
}

static int on_register(const struct reading *reading, const char *key, const char *value,
		       uint64_t offset)
{
	struct csg_snapshot_device *device = reading->device;

	for (int i = 0; i < CSG_SNAPSHOT_REGISTER_COUNT; i++) {
		if (!csg_snapshot_ini_is_register(key, register_names[i]))
			continue;
		if (csg_snapshot_ini_number(value, &device->regs[i]))
			return bad_line(reading, key, offset);
		device->has_regs |= 1u << i;
	}
	return 0;
}

static int on_device(const struct reading *reading, const char *key, const char *value)
{
	struct csg_snapshot_device *device = reading->device;

	if (!strcmp(key, "name"))
		return take_text(reading, &device->name, value);
	if (!strcmp(key, "class"))
		return take_text(reading, &device->class_name, value);
	if (!strcmp(key, "type"))
		return take_text(reading, &device->type, value);
	return 0;
}

static int on_dump(struct reading *reading, const char *section, const char *key, const char *value,
		   uint64_t offset)
{
	struct csg_snapshot_device *device = reading->device;
	struct csg_snapshot_dump *dump;
	uint64_t *number = NULL;

	if (!device->n_dumps || strcmp(section, reading->section)) {
		if (!CSG_STORE_ADD(device, dumps))
			return -CSG_E_NO_MEMORY;
		strcpy(reading->section, section);
	}
	dump = &device->dumps[device->n_dumps - 1];
	if (!strcmp(key, "file"))
		return take_text(reading, &dump->file, value);
	if (!strcmp(key, "space"))
		return take_text(reading, &dump->space, value);
	if (!strcmp(key, "address"))
		number = &dump->address;
	else if (!strcmp(key, "length"))
		number = &dump->length;
	else if (!strcmp(key, "offset"))
		number = &dump->offset;
	if (number && csg_snapshot_ini_number(value, number))
		return bad_line(reading, key, offset);
	dump->has_address |= number == &dump->address;
	return 0;
}

static int on_key(void *arg, const char *section, const char *key, const char *value,
		  uint64_t offset)
{
	struct reading *reading = arg;

	if (!strcmp(section, "device"))
		return value ? on_device(reading, key, value) : bad_line(reading, key, offset);
	if (!strcmp(section, "regs"))
		return value ? on_register(reading, key, value, offset)
			     : bad_line(reading, key, offset);
	if (!strncmp(section, "dump", 4))
		return value ? on_dump(reading, section, key, value, offset)
			     : bad_line(reading, key, offset);
	return 0;
}

int csg_snapshot_device_read(struct csg_snapshot_device *device, struct csg_recording *rec,
			     const char *ini, const char *text, size_t len)
{
	struct reading reading = {.device = device, .rec = rec};

	device->ini = ini;
	device->cpu = CSG_NO_CPU;
	device->regs[CSG_SNAPSHOT_TRCIDR1] = TRCIDR1_DEFAULT;
	device->regs[CSG_SNAPSHOT_TRCDEVARCH] = TRCDEVARCH_DEFAULT;
	return csg_snapshot_ini_read(text, len, on_key, &reading);
}

/* Types have a version after a dot: "ETM4.2", "ETM3.5", "PTM1.0". */
static bool is_type(const char *type, const char *name)
{
	size_t len = strlen(name);

	return !strncmp(type, name, len) && (!type[len] || type[len] == '.');
}

/* Whatever is not decoded is still named with its trace ID. */
static void other_source(const struct csg_snapshot_device *device, struct csg_source *source)
{
	uint64_t id = device->regs[CSG_SNAPSHOT_ETMTRACEIDR];

	if (is_type(device->type, "STM"))
		id = device->regs[CSG_SNAPSHOT_STMTCSR] >> 16; /* TRACEID, bits 22:16 */
	else if (is_type(device->type, "ITM"))
		id = device->regs[CSG_SNAPSHOT_ITMTCR] >> 16; /* TraceBusID, bits 22:16 */
	source->protocol = CSG_PROTOCOL_OTHER;
	source->trace_id = id & 0x7f;
}

bool csg_snapshot_device_source(const struct csg_snapshot_device *device, struct csg_source *source,
				const char **missing)
{
	static const uint8_t needed[] = {CSG_SNAPSHOT_TRCCONFIGR, CSG_SNAPSHOT_TRCTRACEIDR,
					 CSG_SNAPSHOT_TRCIDR0, CSG_SNAPSHOT_TRCIDR2};
	const uint64_t *regs = device->regs;
	bool ete = device->type && is_type(device->type, "ETE");

	source->name = device->name;
	source->ts_source = CSG_TS_SOURCE_UNKNOWN;
	if (!device->type) {
		*missing = "type";
		return false;
	}
	if (!ete && !is_type(device->type, "ETM4")) {
		other_source(device, source);
		return true;
	}
	for (size_t i = 0; i < sizeof(needed); i++) {
		*missing = register_names[needed[i]];
		if (!(device->has_regs & 1u << needed[i]))
			return false;
	}
	source->protocol = ete ? CSG_PROTOCOL_ETE : CSG_PROTOCOL_ETMV4;
	source->trace_id = regs[CSG_SNAPSHOT_TRCTRACEIDR] & 0x7f;
	source->trcconfigr = regs[CSG_SNAPSHOT_TRCCONFIGR];
	source->trctraceidr = regs[CSG_SNAPSHOT_TRCTRACEIDR];
	source->trcidr0 = regs[CSG_SNAPSHOT_TRCIDR0];
	source->trcidr1 = regs[CSG_SNAPSHOT_TRCIDR1];
	source->trcidr2 = regs[CSG_SNAPSHOT_TRCIDR2];
	source->trcidr8 = regs[CSG_SNAPSHOT_TRCIDR8];
	source->trcauthstatus = regs[CSG_SNAPSHOT_TRCAUTHSTATUS];
	source->trcdevarch = ete ? regs[CSG_SNAPSHOT_TRCDEVARCH] : 0;
	return true;
}
