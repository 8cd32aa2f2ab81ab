/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the beginning of a source's trace shows, packets alone:
 *
 *	stamped	it says often when it was recorded, in a time that guests know: timestamps are
 *		traced (TRCCONFIGR.TS), they are the virtual counter, it counts, and one comes in
 *		CSG_STAMPED_BYTES of trace or less.  A trace unit whose counter firmware has not
 *		started stamps with 0
 *	windows	it is of windows: a Trace On comes in CSG_WINDOW_BYTES or less
 */
#ifndef DECODER_SESSION_OPEN_STAMPED_H
#define DECODER_SESSION_OPEN_STAMPED_H

#include "recording/recording.h"

#define CSG_STAMPED_BYTES 512
#define CSG_WINDOW_BYTES 32768

struct csg_stamped {
	bool stamped, windows;
};

/*
 * *is gets the answer; reads 64 KB, and on until it is stamped, at most 4 MB.  windows is false
 * where timestamps are none that count.  0 or a negative error.
 */
int csg_is_stamped(struct csg_recording *rec, const struct csg_source *source,
		   struct csg_stamped *is);

#endif
