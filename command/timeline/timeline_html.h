/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The timeline as one HTML page that needs nothing else: the text of timeline_html_page.html, which
 * the build makes an array of, with the data as JSON in place of its marker.
 *
 *	unit, left      names: of the times, of how slices were left
 *	t0, span        begin and length of the whole; all other times count from t0
 *	owners          each owner that is met, and each kind of loss
 *	mixed           shares of merged slices: [owner, time, instructions, slices]
 *	states          of each vCPU's thread: begin, then pairs of length and number in stateNames;
 *			null
 *	functions       call chains by time, as who asks for the page writes them; or null
 *	streams         for each slice six numbers: begin (less that of the one before it), owner
 *	                (below 0: -1 - number in mixed), instructions, missing, left, index (less
 *	                the last)
 */
#ifndef COMMAND_TIMELINE_TIMELINE_HTML_H
#define COMMAND_TIMELINE_TIMELINE_HTML_H

#include "lookup/lookup.h"
#include "text/out.h"
#include "timeline/slice_store.h"
#include "timeline/slices.h"
#include "waits/waits.h"

struct csg_timeline_html {
	const struct csg_slice_store *store;
	const struct csg_lookup *lookup;
	enum csg_slices_unit unit;
	const char *recording, *hypervisor;
	const struct csg_stream_info *streams;
	/* What threads of vCPUs did off their CPUs; NULL: it is not known. */
	const struct csg_waits *waits;
	const struct csg_vcpu_entry *vcpus;
	size_t vcpu_count;
	/* Writes functions; NULL: they are not known. */
	void (*functions)(void *arg, struct csg_out *out);
	void *functions_arg;
};

/* -CSG_E_NO_MEMORY; errors of output stay in out. */
int csg_timeline_html_write(const struct csg_timeline_html *html, struct csg_out *out);

#endif
