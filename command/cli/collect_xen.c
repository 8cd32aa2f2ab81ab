/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/collect_xen.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "cli/collect_run.h"
#include "files/xen_domains.h"
#include "text/complain.h"

void csg_collect_find_xen_syms(struct csg_collect_options *options, struct csg_xen_syms *found,
			       const struct csg_probe *probe, const char *root)
{
	static const enum csg_collect_syms is[] = {
		[CSG_XEN_SYMS_NONE] = CSG_COLLECT_SYMS_NONE,
		[CSG_XEN_SYMS_SAME] = CSG_COLLECT_SYMS_SAME,
		[CSG_XEN_SYMS_OTHER] = CSG_COLLECT_SYMS_OTHER,
		[CSG_XEN_SYMS_UNCHECKED] = CSG_COLLECT_SYMS_UNCHECKED,
	};
	struct csg_build_id running =
		csg_build_id_make(probe->xen_build_id, probe->xen_build_id_size);

	csg_xen_syms_find(found, root, probe->xen_release, &running);
	options->xen_syms.is = is[found->is];
	options->xen_syms.path = found->path;
}

/* --- the list --- */

/* A line without its end; one that has 0 bytes in it is none.  False: the end. */
static bool next_line(FILE *log, char **line, size_t *capacity)
{
	ssize_t n;

	do
		n = getline(line, capacity, log);
	while (n > 0 && strlen(*line) != (size_t)n);
	if (n > 0)
		(*line)[strcspn(*line, "\n")] = 0;
	return n > 0;
}

/* Where the last dump begins; at the start where no beginning is left. */
static long find_dump(FILE *log)
{
	size_t capacity = 0;
	char *line = NULL;
	long first = 0, at = 0;

	for (; next_line(log, &line, &capacity); at = ftell(log))
		if (csg_xen_domains_begins(line))
			first = at;
	free(line);
	return first;
}

static void copy_from(FILE *log, long first, FILE *to)
{
	size_t capacity = 0;
	char *line = NULL;

	fseek(log, first, SEEK_SET);
	while (next_line(log, &line, &capacity))
		fprintf(to, "%s\n", line);
	free(line);
}

int csg_collect_xen_dump(const struct csg_collect_step *step)
{
	FILE *log = fopen(step->argv[0], "re"),
	     *to = log ? csg_collect_create(step->file, true) : NULL;
	int err = 0;

	if (!to) {
		err = csg_collect_failed(log ? step->file : step->argv[0]);
		if (log)
			fclose(log);
		return err;
	}
	copy_from(log, find_dump(log), to);
	if (ferror(log) || ferror(to))
		err = csg_collect_failed(ferror(log) ? step->argv[0] : step->file);
	fclose(log);
	if (fclose(to) && !err)
		err = csg_collect_failed(step->file);
	return err;
}

static void tell_list(const struct csg_xen_domains *list)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct csg_xen_domain *d = &list->entries[i];

		csg_complain("csguest: VMID %" PRIu32 ": domain %" PRIu32 ", %s%s\n", d->vmid,
			     d->domain, d->name,
			     d->disputed ? ": not all the time, or another's as well" : "");
	}
	if (list->cut)
		csg_complain(
			"csguest: note: the list of domains is cut: Xen's log is too short for it\n"
			"         remedy: boot Xen with conring_size=64k or more\n");
}

bool csg_collect_tell_domains(const char *directory)
{
	struct csg_xen_domains list = {0};
	char path[4096];
	bool known;

	snprintf(path, sizeof(path), "%s/xen-list", directory);
	known = !csg_xen_domains_read(&list, path) && list.count;
	tell_list(&list);
	csg_xen_domains_fini(&list);
	if (!known)
		csg_complain("csguest: error: Xen did not log which domain has which VMID: none is "
			     "in %s\n"
			     "         remedy: as root in dom0: xl debug-keys q; xl dmesg\n",
			     path);
	else
		csg_complain(
			"csguest: put the trace, an OpenCSD snapshot, to it as %s/snapshot, and "
			"read it with: csguest %s; domains' folders go to %s/guests/NAME\n",
			directory, directory, directory);
	return known;
}
