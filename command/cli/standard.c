/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/standard.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/exit_code.h"
#include "csguest/error.h"

void csg_standard_open(void)
{
	/* The lowest descriptor that is free is taken: in this order it is the one that is
	 * missing. */
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			(void)!open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

int csg_standard_finish(int status)
{
	if (!fflush(stdout) && !ferror(stdout))
		return status;
	if (status)
		return status;
	fprintf(stderr, "csguest: error: standard output: %s%s\n", strerror(errno),
		errno == EFBIG ? ": ulimit -f unlimited" : "");
	return csg_exit_code(CSG_E_IO);
}
