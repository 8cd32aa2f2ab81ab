/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/vcpu_name.h"

#include <stddef.h>
#include <string.h>

static const struct {
	const char *before, *after; /* the number */
} names[] = {
	{"CPU ", "/KVM"},    /* QEMU */
	{"fc_vcpu ", ""},    /* Firecracker */
	{"crosvm_vcpu", ""}, /* crosvm */
	{"kvm-vcpu-", ""},   /* kvmtool */
	{"vcpu", ""},	     /* Cloud Hypervisor */
};

static int32_t number_between(const char *comm, const char *before, const char *after)
{
	int32_t n = 0, digits = 0;

	if (strncmp(comm, before, strlen(before)))
		return -1;
	for (comm += strlen(before); *comm >= '0' && *comm <= '9' && digits < 5; comm++, digits++)
		n = n * 10 + (*comm - '0');
	return digits && !strcmp(comm, after) ? n : -1;
}

int32_t csg_vcpu_of_name(const char *comm)
{
	int32_t n = -1;

	for (size_t i = 0; comm && n < 0 && i < sizeof(names) / sizeof(*names); i++)
		n = number_between(comm, names[i].before, names[i].after);
	return n;
}
