/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording/perf/perf_data.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "recording/perf/kept.h"
#include "util/report.h"
#include "recording/perf/aux_samples.h"
#include "recording/perf/directory.h"
#include "recording/perf/perf_features.h"
#include "recording/perf/perf_walk.h"

#define REMEDY_TRACE "record with perf record -e cs_etm// on a machine with CoreSight"
#define REMEDY_NO_AUX                                                                              \
	REMEDY_TRACE "; a guest's own recording goes with the host's, by --guest NAME,perf=FILE"

/* Opens path, as a file of the store and as an input. */
static int open_input(struct csg_recording *rec, const char *path, struct csg_input *input)
{
	bool standard = !strcmp(path, "-");
	int fd = standard ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC);
	int ret, file;

	if (fd < 0)
		return csg_report(&rec->sink, CSG_ERROR,
				  errno == ENOENT ? CSG_E_NOT_FOUND : CSG_E_IO, path, CSG_NO_OFFSET,
				  errno == EACCES   ? "become its owner, or chmod a+r it"
				  : errno == EMFILE ? "raise the limit of open files: ulimit -n"
						    : NULL,
				  "%s", strerror(errno));
	ret = csg_input_init(input, fd);
	if (ret) {
		close(fd);
		return ret;
	}
	file = csg_store_add_file(rec, fd, standard ? "standard input" : path, input->size);
	if (file < 0)
		csg_input_fini(input);
	return file;
}

static int check_arch(const struct csg_perf_state *state)
{
	const char *arch = state->rec->info.arch;

	if (!arch || !strcmp(arch, "aarch64") || !strcmp(arch, "arm64") ||
	    !strncmp(arch, "armv8", 5))
		return 0;
	return csg_report(&state->rec->sink, CSG_ERROR, CSG_E_FOREIGN_ARCH, state->path,
			  CSG_NO_OFFSET, "record on an AArch64 machine", "recorded on %s", arch);
}

/* Is there trace that csguest can read?  Damage, where there is some, explains it best. */
static int check_trace(const struct csg_perf_state *state,
		       const struct csg_recording_setup *options)
{
	const struct csg_recording *rec = state->rec;
	bool aarch64;
	const char *name = csg_auxtrace_type_name(state->foreign_info, &aarch64);

	if (!state->has_info && state->foreign_info)
		return csg_report(&rec->sink, CSG_ERROR,
				  aarch64 ? CSG_E_NO_TRACE : CSG_E_FOREIGN_ARCH, state->path,
				  CSG_NO_OFFSET, REMEDY_TRACE, "holds %s, no CoreSight trace",
				  name);
	if (state->aux.n_areas && state->has_info)
		return 0;
	if (options && options->sideband_only)
		return 0;
	if (rec->damage)
		return csg_report(&rec->sink, CSG_ERROR, -rec->damage, state->path, CSG_NO_OFFSET,
				  "copy the file again, or record again",
				  "nothing of its trace could be read");
	if (state->aux.n_areas)
		return csg_report(&rec->sink, CSG_ERROR, CSG_E_NO_TRACE, state->path, CSG_NO_OFFSET,
				  REMEDY_TRACE, "AUX area trace without AUXTRACE_INFO");
	if (state->has_info)
		return csg_report(&rec->sink, CSG_ERROR, CSG_E_NO_TRACE, state->path, CSG_NO_OFFSET,
				  REMEDY_TRACE, "no bytes of CoreSight trace were recorded");
	return csg_report(&rec->sink, CSG_ERROR, CSG_E_NO_TRACE, state->path, CSG_NO_OFFSET,
			  REMEDY_NO_AUX, "no AUX area trace (perf inject --itrace takes it out)");
}

static int by_record(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* Tells where the AUXTRACE index names what is no AUXTRACE record; perf would trust it. */
static int check_index(const struct csg_perf_state *state)
{
	size_t n = state->aux.n_areas, lies = 0;
	uint64_t *records, first = 0;

	if (!state->n_index || state->file.pipe || state->rec->damage)
		return 0;
	records = calloc(n + 1, sizeof(*records));
	if (!records)
		return -CSG_E_NO_MEMORY;
	for (size_t i = 0; i < n; i++)
		records[i] = state->aux.areas[i].record;
	qsort(records, n, sizeof(*records), by_record);
	for (size_t i = 0; i < state->n_index; i++) {
		uint64_t at = state->index[i].offset;

		if (!bsearch(&at, records, n, sizeof(*records), by_record) && !lies++)
			first = at;
	}
	free(records);
	if (lies)
		csg_report(&state->rec->sink, CSG_WARNING, CSG_E_CORRUPT, state->path, first,
			   "none needed: the records themselves were used; other tools may fail",
			   "AUXTRACE index names %zu places without an AUXTRACE record", lies);
	return 0;
}

#define PRESET 15 /* of attr.config */

/* What the cs_etm event's attr says about who was recorded, and those of all about when. */
static void take_attr_info(struct csg_perf_state *state)
{
	struct csg_recording_info *info = &state->rec->info;
	uint64_t all = 0;

	for (size_t i = 0; i < state->attrs.n; i++) {
		const struct csg_perf_attr *attr = &state->attrs.attrs[i];

		all |= attr->flags;
		info->aux_pause |= !!(attr->aux_action & CSG_ATTR_AUX_PAUSE);
		info->aux_resume |= !!(attr->aux_action & CSG_ATTR_AUX_RESUME);
		info->aux_samples |= attr->aux_sample_size;
		if (attr->name && !strncmp(attr->name, "kvm:", 4))
			info->has_kvm_events = true;
		if (!state->has_info || attr->type != state->metadata.pmu_type)
			continue;
		info->trace_config = attr->config_id;
		info->trace_preset = attr->config & PRESET;
		info->trace_event = attr->name;
		info->exclude_user = attr->flags & CSG_ATTR_EXCLUDE_USER;
		info->exclude_kernel = attr->flags & CSG_ATTR_EXCLUDE_KERNEL;
		info->exclude_hv = attr->flags & CSG_ATTR_EXCLUDE_HV;
		info->exclude_host = attr->flags & CSG_ATTR_EXCLUDE_HOST;
		info->exclude_guest = attr->flags & CSG_ATTR_EXCLUDE_GUEST;
	}
	info->has_mmap2 = all & CSG_ATTR_MMAP2;
	info->has_switch |= !!(all & CSG_ATTR_CONTEXT_SWITCH);
	info->has_text_poke |= !!(all & CSG_ATTR_TEXT_POKE);
}

static int take_event_attrs(struct csg_perf_state *state)
{
	struct csg_recording *rec = state->rec;

	for (size_t i = 0; i < state->attrs.n; i++) {
		struct csg_store_event *event = CSG_STORE_ADD(rec, event_attrs);

		if (!event)
			return -CSG_E_NO_MEMORY;
		event->name = state->attrs.attrs[i].name;
		event->config = state->attrs.attrs[i].config;
		event->sampled = state->attrs.attrs[i].sampled;
	}
	return 0;
}

static int by_vcpu(const void *a, const void *b)
{
	const struct csg_vcpu *x = a, *y = b;

	if (x->machine_pid != y->machine_pid)
		return x->machine_pid < y->machine_pid ? -1 : 1;
	if (x->vcpu != y->vcpu)
		return x->vcpu < y->vcpu ? -1 : 1;
	return x->tid < y->tid ? -1 : x->tid > y->tid;
}

/* ID_INDEX names a vCPU once for each event and CPU. */
static void unify_vcpus(struct csg_recording *rec)
{
	size_t n = 0;

	if (rec->n_vcpus)
		qsort(rec->vcpus, rec->n_vcpus, sizeof(*rec->vcpus), by_vcpu);
	for (size_t i = 0; i < rec->n_vcpus; i++)
		if (!n || by_vcpu(&rec->vcpus[i], &rec->vcpus[n - 1]))
			rec->vcpus[n++] = rec->vcpus[i];
	rec->n_vcpus = n;
}

static int place_samples(struct csg_perf_state *state)
{
	struct csg_trace_id_set known = {{0}};

	csg_trace_ids_known(&state->hw_ids, &state->metadata, known.bits);
	return csg_aux_samples_place(&state->aux, state->rec, &known, state->path);
}

/* Makes of the records what could not be made one by one. */
static int finish(struct csg_perf_state *state, const struct csg_recording_setup *options)
{
	struct csg_recording *rec = state->rec;
	int ret = check_arch(state);

	if (!ret && state->has_info)
		ret = place_samples(state);
	if (!ret)
		ret = check_trace(state, options);
	if (!ret)
		ret = check_index(state);
	for (size_t i = 0; i < state->aux.n_areas; i++)
		rec->info.per_thread |= state->aux.areas[i].cpu == -1;
	take_attr_info(state);
	if (!ret)
		ret = take_event_attrs(state);
	if (!ret)
		ret = csg_aux_make_chunks(&state->aux, rec, state->path);
	if (!ret)
		ret = csg_trace_ids_make_sources(&state->hw_ids, &state->metadata, rec,
						 state->path);
	if (!ret && rec->kept) {
		rec->kept->has_trace = state->has_info;
		rec->kept->trace_type = state->metadata.pmu_type;
		ret = csg_kept_finish(rec->kept);
	}
	unify_vcpus(rec);
	csg_build_ids_sort(&rec->build_ids);
	return ret ? ret : csg_events_sort(&rec->events);
}

/* Goes over the records of one file; damage ends that file, not the recording. */
static int walk_file(struct csg_perf_state *state, const struct csg_recording_setup *options,
		     struct csg_input *input, uint32_t file, uint64_t end)
{
	struct csg_perf_walk walk = {
		.state = state,
		.options = options,
		.input = input,
		.file = file,
		.end = end,
	};
	int ret = csg_perf_walk(&walk);

	if (ret == -CSG_E_TRUNCATED || ret == -CSG_E_CORRUPT) {
		csg_store_damaged(state->rec, ret);
		return 0;
	}
	return ret;
}

/* A data section that reaches beyond the file, or whose size was never written. */
static void check_data(struct csg_perf_state *state)
{
	const struct csg_perf_file *file = &state->file;
	struct csg_recording *rec = state->rec;

	if (!file->unfinished && file->data.size == file->data_claimed)
		return;
	csg_store_damaged(rec, CSG_E_TRUNCATED);
	if (file->unfinished)
		csg_report(
			&rec->sink, CSG_WARNING, CSG_E_TRUNCATED, state->path, 48,
			"let perf record end by itself, or by one interrupt",
			"perf record was stopped before it wrote the header: names of events and "
			"build IDs are missing");
	else
		csg_report(&rec->sink, CSG_WARNING, CSG_E_TRUNCATED, state->path,
			   file->data.offset + file->data.size,
			   "copy the file again, or record again",
			   "ends %" PRIu64 " bytes before its data section does",
			   file->data_claimed - file->data.size);
}

static int read_head_file(struct csg_perf_state *state, const struct csg_recording_setup *options,
			  struct csg_input *input, uint32_t file)
{
	int ret = csg_perf_file_read(&state->file, input, state->path, &state->rec->sink);

	if (ret)
		return ret;
	state->rec->info.pipe = state->file.pipe;
	if (state->file.pipe)
		return walk_file(state, options, input, file, input->size);
	check_data(state);
	ret = csg_perf_attrs_section(state, input);
	if (!ret)
		ret = csg_perf_features_read(state, input);
	if (!ret)
		ret = check_arch(state);
	if (ret)
		return ret;
	csg_input_seek(input, state->file.data.offset);
	return walk_file(state, options, input, file,
			 state->file.data.offset + state->file.data.size);
}

static int read_part(struct csg_perf_state *state, const struct csg_recording_setup *options,
		     const char *path)
{
	struct csg_input input;
	int file = open_input(state->rec, path, &input);
	int ret;

	if (file < 0)
		return file;
	state->path = state->rec->files[file].path;
	ret = walk_file(state, options, &input, (uint32_t)file, input.size);
	csg_input_fini(&input);
	return ret;
}

/* DIR/data.N, each with records of its own. */
static int read_parts(struct csg_perf_state *state, const struct csg_recording_setup *options,
		      const char *dir)
{
	unsigned long *parts = NULL;
	long n = csg_directory_parts(dir, &parts);
	const char *head = state->path;
	int ret = n < 0 ? (int)n : 0;

	for (long i = 0; i < n && !ret; i++) {
		char name[32], *path;

		snprintf(name, sizeof(name), "data.%lu", parts[i]);
		path = csg_directory_join(dir, name);
		ret = path ? read_part(state, options, path) : -CSG_E_NO_MEMORY;
		free(path);
	}
	free(parts);
	state->path = head;
	return ret;
}

/* The directory that the recording is, or lies in as "data"; NULL: it is a single file. */
static int find_directory(const struct csg_perf_state *state, const char *path, bool is_dir,
			  char **dir)
{
	const char *slash = strrchr(path, '/');

	if (is_dir)
		*dir = strdup(path);
	else if (!state->rec->info.directory || strcmp(slash ? slash + 1 : path, "data"))
		return 0;
	else
		*dir = slash ? strndup(path, (size_t)(slash - path)) : strdup(".");
	return *dir ? 0 : -CSG_E_NO_MEMORY;
}

/* The records that inject passes on did not fit. */
static int tell_kept(struct csg_recording *rec, const struct csg_recording_setup *options)
{
	return csg_report(&rec->sink, CSG_ERROR, CSG_E_IO, options->tmpdir, CSG_NO_OFFSET,
			  rec->kept->error == EFBIG
				  ? "raise the limit of a file's size: ulimit -f unlimited"
				  : "set TMPDIR to a directory with room for the records",
			  "the temporary file for the records cannot be written: %s",
			  strerror(rec->kept->error));
}

int csg_perf_data_open(struct csg_recording *rec, const char *path,
		       const struct csg_recording_setup *options)
{
	struct csg_perf_state state = {.rec = rec};
	int is_dir = csg_directory_has(path, "data");
	char *head = is_dir > 0 ? csg_directory_join(path, "data") : strdup(path);
	struct csg_input input = {0};
	char *dir = NULL;
	int ret = head && is_dir >= 0 ? 0 : -CSG_E_NO_MEMORY;

	if (!ret && options && options->keep)
		ret = csg_kept_create(&rec->kept, options->tmpdir);
	if (!ret)
		ret = open_input(rec, head, &input);

	if (ret >= 0) {
		state.path = rec->files[ret].path;
		ret = read_head_file(&state, options, &input, (uint32_t)ret);
	}
	if (!ret)
		ret = find_directory(&state, path, is_dir, &dir);
	if (!ret && dir) {
		rec->info.directory = true;
		rec->info.directory_path = csg_strings_keep(&rec->strings, dir);
		ret = read_parts(&state, options, dir);
	}
	if (!ret)
		ret = finish(&state, options);
	if (ret == -CSG_E_IO && rec->kept && rec->kept->error)
		ret = tell_kept(rec, options);
	rec->info.kind = CSG_RECORDING_PERF;
	rec->info.linux_host = true;
	csg_input_fini(&input);
	csg_perf_state_fini(&state);
	free(dir);
	free(head);
	return ret;
}
