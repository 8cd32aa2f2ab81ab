/* SPDX-License-Identifier: BSD-3-Clause */
#include "script/event_name.h"

#include <stdio.h>

void csg_event_name(char name[CSG_EVENT_NAME_MAX], const char *base, bool exclude_kernel,
		    bool exclude_user, bool exclude_hv, bool exclude_host, bool exclude_guest)
{
	bool privilege = exclude_kernel || exclude_user || exclude_hv;
	char mods[8];
	size_t n = 0;

	/* perf takes guests for excluded by default where a privilege level is. */
	if (privilege && !exclude_kernel)
		mods[n++] = 'k';
	if (privilege && !exclude_user)
		mods[n++] = 'u';
	if (privilege && !exclude_hv)
		mods[n++] = 'h';
	if (exclude_host || exclude_guest == privilege) {
		if (!exclude_host)
			mods[n++] = 'H';
		if (!exclude_guest)
			mods[n++] = 'G';
	}
	mods[n] = 0;
	snprintf(name, CSG_EVENT_NAME_MAX, "%s%s%s", base, n ? ":" : "", mods);
}
