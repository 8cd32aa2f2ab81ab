/* SPDX-License-Identifier: BSD-3-Clause */
/* What the folder of csguest collect, named as the recording, stands for in a command's options. */
#ifndef COMMAND_CLI_DECODE_FOLDER_H
#define COMMAND_CLI_DECODE_FOLDER_H

#include "cli/decode_state.h"

/*
 * Where d->input is such a folder (files/collect_folder.h), the recording in it takes its place,
 * and its files that of options that were not given.  0 or -CSG_E_NO_MEMORY.
 */
int csg_decode_look_into_folder(struct csg_decode *d);

#endif
