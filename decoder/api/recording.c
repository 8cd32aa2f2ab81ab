/* SPDX-License-Identifier: BSD-3-Clause */
#include "csguest/recording.h"

#include "base/abi.h"
#include "csguest/error.h"
#include "recording/recording.h"
#include "recording/unnamed.h"
#include "session/open/choose.h"

int csg_recording_open(struct csg_recording **recording, const char *path,
		       const struct csg_recording_options *options)
{
	struct csg_recording_options own = {.size = sizeof(own)};
	struct csg_recording_setup setup;
	int err;

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
	err = csg_recording_load(recording, path, &setup, own.sink);
	if (!err)
		err = csg_unnamed_find(*recording);
	if (err) {
		csg_recording_close(*recording);
		*recording = NULL;
	}
	return err;
}

int csg_recording_hypervisor(struct csg_recording *recording, enum csg_hypervisor *kind,
			     const char **why)
{
	struct csg_choice choice = {0};
	int err;

	if (!recording || !kind)
		return -CSG_E_USAGE;
	err = csg_choose_hypervisor(recording, &choice);
	if (err)
		return err;
	*kind = choice.kind;
	if (why)
		*why = choice.why;
	return 0;
}

int csg_recording_contradicts(struct csg_recording *recording, enum csg_hypervisor kind,
			      const char **why)
{
	if (!recording || !why || (unsigned int)kind >= CSG_HV_COUNT)
		return -CSG_E_USAGE;
	return csg_contradict_hypervisor(recording, kind, why);
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

size_t csg_recording_sample_count(const struct csg_recording *recording)
{
	size_t n = 0;

	if (recording)
		csg_recording_samples(recording, &n);
	return n;
}

const struct csg_traced_sample *csg_recording_sample(const struct csg_recording *recording,
						     size_t index)
{
	size_t n;
	const struct csg_traced_sample *samples =
		recording ? csg_recording_samples(recording, &n) : NULL;

	return samples && index < n ? &samples[index] : NULL;
}

size_t csg_recording_dump_count(const struct csg_recording *recording)
{
	size_t n = 0;

	if (recording)
		csg_recording_dumps(recording, &n);
	return n;
}

int csg_source_trace_unit(const struct csg_source *source, struct csg_trace_unit *unit, size_t size)
{
	struct csg_trace_unit own;

	if (!source || !unit || size < sizeof(own))
		return -CSG_E_USAGE;
	own = csg_source_unit(source);
	own.size = size;
	return csg_abi_give(unit, size, sizeof(own), &own, sizeof(own));
}
