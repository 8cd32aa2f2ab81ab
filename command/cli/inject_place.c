/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/inject_place.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/report.h"
#include "inject/kcore_links.h"
#include "inject/kallsyms_file.h"

static bool has_kernel(const struct csg_kernel_files *files)
{
	return files->vmlinux || files->kcore || files->kallsyms;
}

/* Does the command line name a guest's kernel? */
static bool names_kernels(const struct csg_session_options *options)
{
	bool any = options->only_guest && has_kernel(options->only_guest);

	for (size_t i = 0; i < options->guest_count; i++)
		any |= has_kernel(&options->guests[i].files);
	return any;
}

static int kernels_stay(const struct csg_decode *decode)
{
	csg_report(&decode->sink, CSG_WARNING, CSG_E_UNSUPPORTED, NULL, CSG_NO_OFFSET,
		   "write to a name: perf finds symbols of kernels beside a file only",
		   "kernels do not go through a pipe");
	return 0;
}

/* The directory with the links, and the file in it. */
static int open_directory(struct csg_inject_place *place, const struct csg_decode *decode,
			  const char *from)
{
	int err = csg_output_dir_open(&place->dir, place->output, &decode->rules);

	place->is_directory = true;
	if (err)
		return err;
	if (from && csg_kcore_links_make(place->dir.path, from))
		return csg_output_dir_cannot(&place->dir, "kcore_dir", errno);
	place->fd = csg_output_dir_file(&place->dir, "data", false);
	return place->fd < 0 ? csg_output_dir_cannot(&place->dir, "data", errno) : 0;
}

static int open_file(struct csg_inject_place *place, const struct csg_decode *decode)
{
	struct csg_output_rules rules = decode->rules;
	int err;

	rules.keep_old = true;
	err = csg_output_open(&place->file, place->output, &rules);
	if (err)
		return err;
	place->fd = place->file.fd;
	place->pipe = csg_output_is_direct(&place->file);
	return 0;
}

int csg_inject_place_make(struct csg_inject_place *place, struct csg_decode *decode)
{
	const char *from =
		csg_recording_info(csg_session_recording(decode->session))->directory_path;
	bool links = from && csg_kcore_links_needed(from);
	bool kernels = links || names_kernels(&decode->options);
	int err, stream;

	place->fd = -1;
	if (!strcmp(place->output, "-")) {
		place->fd = STDOUT_FILENO;
		place->pipe = true;
		return kernels ? kernels_stay(decode) : 0;
	}
	stream = kernels ? csg_output_is_stream(place->output) : 0;
	if (stream < 0)
		return stream;
	err = kernels && !stream ? open_directory(place, decode, links ? from : NULL)
				 : open_file(place, decode);
	return !err && place->pipe && kernels ? kernels_stay(decode) : err;
}

/* How many symbols there are, or a negative error. */
static int write_kallsyms(int fd, struct csg_space *space)
{
	struct csg_out *out = malloc(sizeof(*out));
	int ret = out ? 0 : -CSG_E_NO_MEMORY;

	if (out) {
		csg_out_init(out, fd);
		ret = csg_kallsyms_write(space, out);
		if (csg_out_flush(out))
			ret = -CSG_E_IO;
	}
	if (close(fd) && ret >= 0)
		ret = -CSG_E_IO;
	free(out);
	return ret;
}

static int write_kernel(struct csg_inject_place *place, struct csg_decode *decode,
			const struct csg_inject_vm *vm)
{
	struct csg_space *space = csg_session_space(decode->session, vm->owner);
	char dir[32], name[48];
	int fd, ret;

	snprintf(dir, sizeof(dir), "kcore_dir__%d", vm->vm);
	snprintf(name, sizeof(name), "%s/kallsyms", dir);
	/* There already: a link to what came with the recording. */
	if (!space || mkdirat(place->dir.fd, dir, 0777))
		return 0;
	fd = csg_output_dir_file(&place->dir, name, false);
	ret = fd < 0 ? -CSG_E_IO : write_kallsyms(fd, space);
	if (ret == -CSG_E_NO_MEMORY)
		return ret;
	if (ret < 0)
		csg_report(&decode->sink, CSG_WARNING, CSG_E_IO, place->output, CSG_NO_OFFSET,
			   "make room: perf does not find this guest's symbols",
			   "%s cannot be written", name);
	if (ret <= 0) {
		unlinkat(place->dir.fd, name, 0);
		unlinkat(place->dir.fd, dir, AT_REMOVEDIR);
	}
	return 0;
}

static int finish_directory(struct csg_inject_place *place, struct csg_decode *decode,
			    const struct csg_inject *inject)
{
	int failed = close(place->fd) ? errno : 0;

	place->fd = -1;
	if (failed)
		return csg_output_dir_cannot(&place->dir, "data", failed);
	for (size_t i = 0; i < inject->vm_count && !failed; i++)
		failed = write_kernel(place, decode, &inject->vms[i]);
	return failed ? failed : csg_output_dir_commit(&place->dir);
}

int csg_inject_place_finish(struct csg_inject_place *place, struct csg_decode *decode,
			    const struct csg_inject *inject)
{
	if (place->is_directory)
		return finish_directory(place, decode, inject);
	return place->file.path ? csg_output_commit(&place->file, 0) : 0;
}

void csg_inject_place_fini(struct csg_inject_place *place)
{
	if (place->is_directory && place->fd >= 0)
		close(place->fd);
	place->fd = -1;
	csg_output_drop(&place->file);
	csg_output_dir_drop(&place->dir);
}
