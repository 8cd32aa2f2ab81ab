/* SPDX-License-Identifier: BSD-3-Clause */
/* perf.data files: header, features, records, AUX area, in file and pipe format. */
#include "fuzz/recording.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_recording(fuzz_file(data, size));
	return 0;
}
