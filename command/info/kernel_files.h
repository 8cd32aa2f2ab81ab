/* SPDX-License-Identifier: BSD-3-Clause */
/* Files of kernels, and whether the trace agrees with them (csguest/kernel_file.h), for csguest
 * info. */
#ifndef COMMAND_INFO_KERNEL_FILES_H
#define COMMAND_INFO_KERNEL_FILES_H

#include "csguest/kernel_file.h"
#include "text/form.h"

/* Writes the n files of a list; nothing where there is none, in JSON an empty list. */
void csg_kernel_files_write(const struct csg_kernel_file *list, size_t n, struct csg_form *form);

#endif
