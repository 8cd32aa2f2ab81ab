/* SPDX-License-Identifier: BSD-3-Clause */
#include "text/vm_name.h"

#include <stdio.h>

const char *csg_vm_name(const char *guest, int32_t vm, char buf[CSG_VM_NAME_SIZE])
{
	char number[CSG_VM_TEXT_SIZE];

	csg_vm_text(vm, number, sizeof(number));
	if (vm <= 0)
		snprintf(buf, CSG_VM_NAME_SIZE, "VM unknown");
	else if (guest)
		snprintf(buf, CSG_VM_NAME_SIZE, "%.64s (VM %s)", guest, number);
	else
		snprintf(buf, CSG_VM_NAME_SIZE, "VM %s", number);
	return buf;
}
