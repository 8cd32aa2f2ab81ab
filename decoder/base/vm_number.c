/* SPDX-License-Identifier: BSD-3-Clause */
/* The numbers of VMs (csguest/owner.h) in words. */
#include <inttypes.h>
#include <stdio.h>

#include "csguest/owner.h"

#define LAST (INT32_MAX / CSG_VM_AGAIN)

int32_t csg_vm_pid(int32_t vm)
{
	return vm > 0 ? vm % CSG_VM_AGAIN : vm;
}

int csg_vm_text(int32_t vm, char *buf, size_t size)
{
	if (vm < CSG_VM_AGAIN)
		return snprintf(buf, size, "%" PRId32, vm);
	return snprintf(buf, size, "%" PRId32 "#%" PRId32, vm % CSG_VM_AGAIN, vm / CSG_VM_AGAIN);
}

/* The digits at *text, from 1 to last, or 0; *text gets what follows them. */
static int32_t take_number(const char **text, int32_t last)
{
	int32_t n = 0;

	for (; **text >= '0' && **text <= '9'; ++*text) {
		n = n * 10 + (**text - '0');
		if (n > last)
			return 0;
	}
	return n;
}

int32_t csg_vm_of_text(const char *text)
{
	int32_t pid, n = 0;

	if (!text)
		return CSG_VM_UNKNOWN;
	pid = take_number(&text, CSG_VM_AGAIN - 1);
	if (*text == '#') {
		text++;
		n = take_number(&text, LAST);
		pid = n ? pid : 0;
	}
	return pid && !*text ? pid + n * CSG_VM_AGAIN : CSG_VM_UNKNOWN;
}
