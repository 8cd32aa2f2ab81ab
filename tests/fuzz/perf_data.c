/* SPDX-License-Identifier: BSD-3-Clause */
/* perf.data files: header, features, records, AUX area, in file and pipe format. */
#include "fuzz/recording.h"

#define PIPE_BYTES 65536 /* what a pipe takes without a reader */

/* The same through a pipe, where trace bytes must be kept while they pass. */
static void read_piped(const uint8_t *data, size_t size)
{
	int ends[2];

	fuzz_require(!pipe(ends), "no pipe");
	fuzz_require(write(ends[1], data, size) == (ssize_t)size, "pipe not written");
	close(ends[1]);
	dup2(ends[0], STDIN_FILENO);
	close(ends[0]);
	fuzz_recording("-");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_recording(fuzz_file(data, size));
	if (size > 16 && size <= PIPE_BYTES && data[8] == 16)
		read_piped(data, size);
	return 0;
}
