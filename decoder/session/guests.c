/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/guests.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/report.h"
#include "csguest/error.h"
#include "session/sideband.h"

void csg_guests_fini(struct csg_guests *guests)
{
	for (size_t i = 0; i < guests->count; i++)
		csg_recording_close(guests->recordings[i]);
	free(guests->recordings);
	*guests = (struct csg_guests){0};
}

/* Where the guest's files are: where the user says, else below the mount of all guests. */
static int set_files(struct csg_machine *machine, const struct csg_guest_options *guest,
		     const char *guestmount)
{
	struct csg_kernel_options files = guest->files;
	char root[4096];

	if (!files.root && guestmount) {
		snprintf(root, sizeof(root), "%s/%d", guestmount, guest->pid);
		files.root = root;
	}
	return csg_machine_set_kernel(machine, &files);
}

static int check(const struct csg_guest_options *guests, size_t i, const struct csg_diag_sink *sink)
{
	const struct csg_guest_options *guest = &guests[i];

	if (guest->pid <= 0)
		return csg_report(sink, CSG_ERROR, CSG_E_USAGE, guest->perf, CSG_NO_OFFSET,
				  "say the PID of its VMM: --guest NAME,pid=PID,...",
				  "which VM the guest '%s' is, is not said", guest->name);
	for (size_t j = 0; j < i; j++)
		if (guests[j].pid == guest->pid)
			return csg_report(sink, CSG_ERROR, CSG_E_USAGE, guest->perf, CSG_NO_OFFSET,
					  "one --guest for each VM",
					  "guests '%s' and '%s' are both said to be VM %d",
					  guests[j].name, guest->name, guest->pid);
	return 0;
}

static int load(struct csg_guests *guests, struct csg_people *people,
		const struct csg_guest_options *guest, const char *tmpdir,
		const struct csg_diag_sink *sink)
{
	const struct csg_recording_options options = {.sideband_only = true, .tmpdir = tmpdir};
	struct csg_recording *rec;
	int err;

	if (!guest->perf)
		return 0;
	err = csg_recording_open(&rec, guest->perf, &options, sink);
	if (err)
		return err;
	guests->recordings[guests->count++] = rec;
	return csg_sideband_load(people, rec, guest->pid);
}

int csg_guests_load(struct csg_guests *guests, struct csg_people *people,
		    const struct csg_guest_options *options, size_t n, const char *guestmount,
		    const char *tmpdir, const struct csg_diag_sink *sink)
{
	guests->recordings = calloc(n ? n : 1, sizeof(*guests->recordings));
	if (!guests->recordings)
		return -CSG_E_NO_MEMORY;
	for (size_t i = 0; i < n; i++) {
		struct csg_machine *machine;
		int err = check(options, i, sink);

		if (!err)
			err = csg_image_machine(people->image, options[i].pid, &machine);
		if (!err)
			err = set_files(machine, &options[i], guestmount);
		if (!err)
			err = load(guests, people, &options[i], tmpdir, sink);
		if (err)
			return err;
	}
	return 0;
}
