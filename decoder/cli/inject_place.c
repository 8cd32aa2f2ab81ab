/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/inject_place.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/report.h"
#include "recording/directory.h"
#include "recording/kcore_links.h"
#include "view/kallsyms_file.h"

static bool has_kernel(const struct csg_kernel_options *files)
{
	return files->vmlinux || files->kcore || files->kallsyms;
}

/* Does the command line name a guest's kernel? */
static bool names_kernels(const struct csg_session_options *options)
{
	bool any = options->has_guest && has_kernel(&options->guest);

	for (size_t i = 0; i < options->guest_count; i++)
		any |= has_kernel(&options->guests[i].files);
	return any;
}

static int cannot_be_made(const struct csg_inject_place *place, const struct csg_decode *decode)
{
	return csg_report(&decode->sink, CSG_ERROR, errno == EEXIST ? CSG_E_USAGE : CSG_E_IO,
			  place->output, CSG_NO_OFFSET,
			  errno == EEXIST ? "remove it, or write to another name" : NULL,
			  "cannot be made: %s", strerror(errno));
}

static int kernels_stay(const struct csg_decode *decode)
{
	csg_report(&decode->sink, CSG_WARNING, CSG_E_UNSUPPORTED, NULL, CSG_NO_OFFSET,
		   "write to a name: perf finds symbols of kernels beside a file only",
		   "kernels do not go through a pipe");
	return 0;
}

int csg_inject_place_make(struct csg_inject_place *place, const struct csg_decode *decode)
{
	const char *from =
		csg_recording_info(csg_session_recording(decode->session))->directory_path;
	bool links = from && csg_kcore_links_needed(from);

	if (!strcmp(place->output, "-"))
		return links || names_kernels(&decode->options) ? kernels_stay(decode) : 0;
	place->is_directory = links || names_kernels(&decode->options);
	if (links && csg_kcore_links_make(place->output, from))
		return cannot_be_made(place, decode);
	if (place->is_directory && !links && mkdir(place->output, 0777))
		return cannot_be_made(place, decode);
	place->data = place->is_directory ? csg_directory_join(place->output, "data")
					  : strdup(place->output);
	return place->data ? 0 : -CSG_E_NO_MEMORY;
}

/* path, new.  How many symbols there are, or a negative error. */
static int write_kallsyms(const char *path, struct csg_space *space)
{
	struct csg_out *out = malloc(sizeof(*out));
	int fd = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
	int ret = -CSG_E_IO;

	if (fd >= 0 && out) {
		csg_out_init(out, fd);
		ret = csg_kallsyms_write(space, out);
		if (csg_out_flush(out))
			ret = -CSG_E_IO;
	}
	if (fd >= 0 && close(fd))
		ret = -CSG_E_IO;
	free(out);
	return ret;
}

static void write_kernel(const struct csg_inject_place *place, struct csg_decode *decode,
			 const struct csg_inject_vm *vm)
{
	struct csg_space *space = csg_session_space(decode->session, vm->owner);
	char name[32], *dir, *path;
	int ret;

	snprintf(name, sizeof(name), "kcore_dir__%d", vm->vm);
	dir = csg_directory_join(place->output, name);
	path = dir ? csg_directory_join(dir, "kallsyms") : NULL;
	/* There already: a link to what came with the recording. */
	if (path && space && !mkdir(dir, 0777)) {
		ret = write_kallsyms(path, space);
		if (ret < 0)
			csg_report(&decode->sink, CSG_WARNING, CSG_E_IO, path, CSG_NO_OFFSET,
				   "make room: perf does not find this guest's symbols",
				   "cannot be written");
		if (ret <= 0) {
			unlink(path);
			rmdir(dir);
		}
	}
	free(path);
	free(dir);
}

void csg_inject_place_kernels(const struct csg_inject_place *place, struct csg_decode *decode,
			      const struct csg_inject *inject)
{
	for (size_t i = 0; place->is_directory && i < inject->vm_count; i++)
		write_kernel(place, decode, &inject->vms[i]);
}

void csg_inject_place_fini(struct csg_inject_place *place, bool finished)
{
	if (place->data && place->is_directory && !finished)
		csg_kcore_links_remove(place->output);
	free(place->data);
	place->data = NULL;
}
