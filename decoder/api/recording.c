/* SPDX-License-Identifier: BSD-3-Clause */
#include "csguest/recording.h"

#include "base/abi.h"
#include "csguest/error.h"
#include "recording/recording.h"

int csg_recording_open(struct csg_recording **recording, const char *path,
		       const struct csg_recording_options *options)
{
	struct csg_recording_options own = {.size = sizeof(own)};
	struct csg_recording_setup setup;

	if (!recording)
		return -CSG_E_USAGE;
	*recording = NULL;
	if (!path || (options && csg_abi_take(&own, sizeof(own), sizeof(own), options)))
		return -CSG_E_USAGE;
	setup = (struct csg_recording_setup){
		.sideband_only = own.sideband_only,
		.tmpdir = own.tmpdir,
		.progress = own.progress,
		.progress_arg = own.progress_arg,
	};
	return csg_recording_load(recording, path, &setup, own.sink);
}

size_t csg_recording_source_count(const struct csg_recording *recording)
{
	size_t n = 0;

	if (recording)
		csg_recording_sources(recording, &n);
	return n;
}

const struct csg_source *csg_recording_source(const struct csg_recording *recording, size_t index)
{
	size_t n;
	const struct csg_source *sources = recording ? csg_recording_sources(recording, &n) : NULL;

	return sources && index < n ? &sources[index] : NULL;
}

size_t csg_recording_chunk_count(const struct csg_recording *recording)
{
	size_t n = 0;

	if (recording)
		csg_recording_chunks(recording, &n);
	return n;
}

const struct csg_chunk *csg_recording_chunk(const struct csg_recording *recording, size_t index)
{
	size_t n;
	const struct csg_chunk *chunks = recording ? csg_recording_chunks(recording, &n) : NULL;

	return chunks && index < n ? &chunks[index] : NULL;
}

size_t csg_recording_dump_count(const struct csg_recording *recording)
{
	size_t n = 0;

	if (recording)
		csg_recording_dumps(recording, &n);
	return n;
}
