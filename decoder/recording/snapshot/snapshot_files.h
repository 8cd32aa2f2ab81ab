/* SPDX-License-Identifier: BSD-3-Clause */
/* The ini files of a snapshot directory, read into what they say; snapshot.h tells what that is. */
#ifndef DECODER_RECORDING_SNAPSHOT_SNAPSHOT_FILES_H
#define DECODER_RECORDING_SNAPSHOT_SNAPSHOT_FILES_H

#include "recording/snapshot/snapshot_device.h"

#define CSG_SNAPSHOT_REMEDY "copy the whole snapshot directory"

/* source=buffer or core=source, as the ini has them. */
struct csg_snapshot_pair {
	const char *key, *value;
};

struct csg_snapshot_buffer {
	const char *section, *name, *file, *format;
};

struct csg_snapshot {
	struct csg_recording *rec;
	const char *path; /* of the ini being read */
	char *dir;
	const char *metadata; /* name of trace.ini */
	struct csg_snapshot_device *devices;
	size_t n_devices, cap_devices;
	const char **inis; /* of the devices */
	size_t n_inis, cap_inis;
	struct csg_snapshot_buffer *buffers;
	size_t n_buffers, cap_buffers;
	struct csg_snapshot_pair *source_buffers, *core_sources;
	size_t n_source_buffers, cap_source_buffers, n_core_sources, cap_core_sources;
};

void csg_snapshot_fini(struct csg_snapshot *snapshot);

/*
 * Reads all ini files; path is the directory or its snapshot.ini, snapshot empty but for rec.
 * Files of devices that are missing are reported and left out.
 */
int csg_snapshot_read(struct csg_snapshot *snapshot, const char *path);

/*
 * The path of the file of that name in the snapshot's directory, where recorders on Windows
 * write "\\".  It lives as long as the recording; NULL out of memory.
 */
const char *csg_snapshot_resolve(struct csg_snapshot *snapshot, const char *name);

/* Reports errno about path; returns the error. */
int csg_snapshot_report_file(const struct csg_snapshot *snapshot, enum csg_severity severity,
			     const char *path);

#endif
