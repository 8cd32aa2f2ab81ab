/* SPDX-License-Identifier: BSD-3-Clause */
/* --anonymise-key FILE: the secret key by which names become tokens (text/anonym.h). */
#ifndef COMMAND_CLI_ANONYM_KEY_H
#define COMMAND_CLI_ANONYM_KEY_H

#include "text/anonym.h"

/* Begins tokens with the key in the file at path.  -CSG_E_USAGE, reported for command. */
int csg_anonym_key_take(const char *command, const char *path, struct csg_anonym *tokens);

#endif
