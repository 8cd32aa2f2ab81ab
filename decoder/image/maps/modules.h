/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernel modules: their names, and where /proc/modules says they were loaded:
 *	ext4 983040 1 - Live 0xffff800001a3c000
 */
#ifndef DECODER_IMAGE_MAPS_MODULES_H
#define DECODER_IMAGE_MAPS_MODULES_H

#include <stddef.h>
#include <stdint.h>

#define CSG_MODULE_NAME_MAX 64

/*
 * The name that the kernel gives a module's file, in brackets as perf shows it: "[nf_nat]"
 * for "/lib/modules/6.1/kernel/net/netfilter/nf-nat.ko.xz"; "[x]" stays.  Cut if too long.
 */
void csg_module_name(const char *path, char name[CSG_MODULE_NAME_MAX]);

/*
 * Calls fn for each module of the text, name in brackets, until it returns other than 0;
 * returns that.
 */
typedef int (*csg_module_fn)(void *arg, const char *name, uint64_t start, uint64_t size);
int csg_modules_each(const char *text, size_t size, csg_module_fn fn, void *arg);

#endif
