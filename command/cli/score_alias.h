/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `csguest score` of whoever works in a build folder: the comparison with a truth is a tool of the
 * tests (docs/truth.md), which the build puts beside the command.  An installed command has none,
 * and no such command.
 */
#ifndef COMMAND_CLI_SCORE_ALIAS_H
#define COMMAND_CLI_SCORE_ALIAS_H

/*
 * Becomes the program `score` in the folder of this one, with these arguments, of which the first
 * is its name.  Returns only where there is none.
 */
void csg_score_alias(char **argv);

#endif
