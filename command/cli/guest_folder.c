/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/guest_folder.h"

#include <string.h>

#include "csguest/error.h"
#include "files/guest_folder.h"

/* The list keeps a copy of path, where it is there and nothing was said before. */
static int take(struct csg_guest_list *list, const char *path, const char **at)
{
	char *copy;

	if (*at || !path)
		return 0;
	copy = strdup(path);
	*at = copy;
	return copy ? csg_guest_list_keep(list, copy) : -CSG_E_NO_MEMORY;
}

static int take_guest(void *arg, const struct csg_guest_folder_entry *entry)
{
	struct csg_guest_list *list = arg;
	struct csg_guest_files *guest;
	const char *name = NULL;
	int err = take(list, entry->name, &name);

	if (!err)
		err = csg_guest_list_named(list, name, &guest);
	if (err || guest->perf)
		return err;
	err = take(list, entry->perf, &guest->perf);
	if (!err && !guest->files.kcore)
		err = take(list, entry->kallsyms, &guest->files.kallsyms);
	if (!err)
		err = take(list, entry->vmlinux, &guest->files.vmlinux);
	return err ? err : take(list, entry->root, &guest->files.root);
}

int csg_guest_folder_read(struct csg_guest_list *list, const char *dir,
			  const struct csg_diag_sink *sink)
{
	return csg_guest_folder_each(dir, sink, take_guest, list);
}
