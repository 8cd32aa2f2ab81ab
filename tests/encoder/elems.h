/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists of elements: see decode.h. */
#ifndef TESTS_ENCODER_ELEMS_H
#define TESTS_ENCODER_ELEMS_H

#include "encoder/decode.h"

void csg_enc_elems_add(struct csg_enc_elems *elems, const struct csg_enc_elem *elem);
/* Drops what csg_enc_elems_equal() does not compare. */
void csg_enc_elems_tidy(const struct csg_enc_model *model, struct csg_enc_elems *elems);
/* One line about an element. */
void csg_enc_elem_text(const struct csg_enc_elem *elem, char *text, size_t size);

#endif
