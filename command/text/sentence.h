/* SPDX-License-Identifier: BSD-3-Clause */
/* A line of text that grows by pieces, and is cut where it would be too long. */
#ifndef COMMAND_TEXT_SENTENCE_H
#define COMMAND_TEXT_SENTENCE_H

#define CSG_SENTENCE_MAX 512

/* {""} is the empty one. */
struct csg_sentence {
	char text[CSG_SENTENCE_MAX];
};

void csg_sentence_add(struct csg_sentence *sentence, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
