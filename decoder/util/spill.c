/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/spill.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "csguest/error.h"

static const char *default_dir(void)
{
	const char *dir = getenv("TMPDIR");

	return dir && *dir ? dir : "/tmp";
}

int csg_spill_open(const char *dir)
{
	char *name;
	int fd;

	if (!dir)
		dir = default_dir();
	fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd >= 0)
		return fd;
	if (asprintf(&name, "%s/csguest-XXXXXX", dir) < 0)
		return -CSG_E_NO_MEMORY;
	fd = mkostemp(name, O_CLOEXEC);
	if (fd >= 0)
		unlink(name);
	free(name);
	return fd >= 0 ? fd : -CSG_E_IO;
}
