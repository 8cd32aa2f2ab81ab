/* SPDX-License-Identifier: BSD-3-Clause */
/* One device of a snapshot: a core or a source of trace, out of its ini file. */
#ifndef DECODER_RECORDING_SNAPSHOT_SNAPSHOT_DEVICE_H
#define DECODER_RECORDING_SNAPSHOT_SNAPSHOT_DEVICE_H

#include <stdbool.h>

#include "recording/model/store.h"

/* Registers that are kept, in the order of enum csg_snapshot_register. */
#define CSG_SNAPSHOT_REGISTERS(X)                                                                  \
	X(TRCCONFIGR)                                                                              \
	X(TRCTRACEIDR)                                                                             \
	X(TRCIDR0)                                                                                 \
	X(TRCIDR1)                                                                                 \
	X(TRCIDR2)                                                                                 \
	X(TRCIDR8)                                                                                 \
	X(TRCAUTHSTATUS)                                                                           \
	X(TRCDEVARCH)                                                                              \
	X(ETMTRACEIDR)                                                                             \
	X(STMTCSR)                                                                                 \
	X(ITMTCR)

enum csg_snapshot_register {
#define CSG_SNAPSHOT_ENUM(name) CSG_SNAPSHOT_##name,
	CSG_SNAPSHOT_REGISTERS(CSG_SNAPSHOT_ENUM)
#undef CSG_SNAPSHOT_ENUM
		CSG_SNAPSHOT_REGISTER_COUNT
};

struct csg_snapshot_dump {
	uint64_t address, length, offset;
	const char *file, *space; /* interned; file NULL: none was named */
	bool has_address;
};

struct csg_snapshot_device {
	const char *ini;		      /* path of its file */
	const char *name, *class_name, *type; /* interned; NULL: not said */
	uint64_t regs[CSG_SNAPSHOT_REGISTER_COUNT];
	uint32_t has_regs; /* bit per register */
	struct csg_snapshot_dump *dumps;
	size_t n_dumps, cap_dumps;
	int32_t cpu; /* number of a core; set by snapshot.c */
};

void csg_snapshot_device_fini(struct csg_snapshot_device *device);

/* Reads the ini text at len bytes.  Bad lines are reported and left out.  0 or out of memory. */
int csg_snapshot_device_read(struct csg_snapshot_device *device, struct csg_recording *rec,
			     const char *ini, const char *text, size_t len);

/*
 * Makes of it what a source's registers say: protocol, registers, trace ID.  False where
 * registers that a decoder needs are missing; which one is in *missing.
 */
bool csg_snapshot_device_source(const struct csg_snapshot_device *device, struct csg_source *source,
				const char **missing);

#endif
