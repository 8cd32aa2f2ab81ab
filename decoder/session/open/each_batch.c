/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/open/each_batch.h"

int csg_each_batch(struct csg_stream *stream, int (*see)(void *arg, const struct csg_batch *batch),
		   void *arg)
{
	struct csg_batch batch;
	int ret;

	while ((ret = csg_stream_fill(stream)) > 0)
		while (csg_stream_peek(stream, &batch)) {
			int err = see(arg, &batch);

			if (err)
				return err;
			csg_stream_take(stream);
		}
	return ret;
}
