/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/decode_inputs.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/report.h"

/* A file beside another; where the other is "DIR/kcore", "DIR/kallsyms" and "DIR/modules" are read
 * too. */
static int add_beside(struct csg_inputs *inputs, const char *path, const char *name)
{
	const char *slash = strrchr(path, '/');
	char *beside;
	int err;

	if (asprintf(&beside, "%.*s%s", slash ? (int)(slash + 1 - path) : 0, path, name) < 0)
		return -CSG_E_NO_MEMORY;
	err = csg_inputs_add(inputs, beside);
	free(beside);
	return err;
}

static int add_kernel(struct csg_inputs *inputs, const struct csg_kernel_files *kernel)
{
	int err = csg_inputs_add(inputs, kernel->vmlinux);

	if (!err)
		err = csg_inputs_add(inputs, kernel->kallsyms);
	if (!err && kernel->kcore) {
		err = csg_inputs_add(inputs, kernel->kcore);
		if (!err)
			err = add_beside(inputs, kernel->kcore, "kallsyms");
		if (!err)
			err = add_beside(inputs, kernel->kcore, "modules");
	}
	return err;
}

static bool ends_with(const char *text, const char *end)
{
	size_t n = strlen(text), m = strlen(end);

	return n >= m && !strcmp(text + n - m, end);
}

/* A snapshot may be named by its snapshot.ini: all files beside that are its. */
static int add_recording(struct csg_inputs *inputs, const char *path)
{
	int err = csg_inputs_add(inputs, path);

	return err || !ends_with(path, ".ini") ? err : add_beside(inputs, path, ".");
}

int csg_decode_find_inputs(struct csg_decode *d)
{
	const struct csg_session_options *o = &d->options;
	int err = add_recording(&d->inputs, d->input);

	if (!err && d->guests_dir)
		err = csg_inputs_add(&d->inputs, d->guests_dir);
	if (!err)
		err = csg_inputs_add(&d->inputs, d->folder.dom0);
	if (!err)
		err = csg_inputs_add(&d->inputs, d->vm_names);
	if (!err)
		err = add_kernel(&d->inputs, &d->kernel);
	if (!err)
		err = add_kernel(&d->inputs, &d->only_guest);
	for (size_t i = 0; !err && i < o->guest_count; i++) {
		err = o->guests[i].perf ? add_recording(&d->inputs, o->guests[i].perf) : 0;
		if (!err)
			err = add_kernel(&d->inputs, &o->guests[i].files);
	}
	if (!err)
		err = csg_inputs_add(&d->inputs, o->kvm_list);
	return err ? err : csg_inputs_add(&d->inputs, o->xen_list);
}

int csg_decode_check_stdout(struct csg_decode *d)
{
	struct stat st;
	const char *input = fstat(STDOUT_FILENO, &st) ? NULL : csg_inputs_find(&d->inputs, &st);

	if (!input)
		return 0;
	return csg_report(&d->sink, CSG_ERROR, CSG_E_USAGE, input, CSG_NO_OFFSET,
			  "redirect standard output to another file",
			  "is standard output as well as an input");
}

struct search {
	const struct stat *st;
};

static int is_same(void *arg, const char *path)
{
	const struct search *search = arg;
	struct stat st;

	return !stat(path, &st) && st.st_dev == search->st->st_dev &&
	       st.st_ino == search->st->st_ino;
}

bool csg_decode_is_image(void *arg, const struct stat *st)
{
	const struct csg_decode *d = arg;
	struct search search = {st};

	return d->session && csg_session_each_file(d->session, is_same, &search) > 0;
}
