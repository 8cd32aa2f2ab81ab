/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The P0 elements of the trace unit and what must be sent before them: the inner half
 * of etm.h, used by etm.c only.
 */
#ifndef TESTS_ENCODER_ETM_P0_H
#define TESTS_ENCODER_ETM_P0_H

#include "encoder/etm.h"

/* Sends what is owed before something that executes at the current address. */
void csg_enc_p0_settle(struct csg_enc_etm *etm);
/* Sends the synchronisation a stream begins with, at its start and after a loss. */
void csg_enc_p0_begin(struct csg_enc_etm *etm);
/* Sends collected atoms. */
void csg_enc_p0_flush(struct csg_enc_etm *etm);
/* Sends the exception return packet that is owed. */
void csg_enc_p0_exception_return(struct csg_enc_etm *etm);
/*
 * Puts back what the newest branch took off the return stack and owes the address instead:
 * before elements that do not make a decoder look at its stack, as atoms and exceptions do.
 */
void csg_enc_p0_unpop(struct csg_enc_etm *etm);
/* Counts P0 elements that were sent towards the speculation depth. */
void csg_enc_p0_count(struct csg_enc_etm *etm, uint32_t count);

int csg_enc_p0_branch(struct csg_enc_etm *etm, const struct csg_enc_branch *branch);
int csg_enc_p0_exception(struct csg_enc_etm *etm, const struct csg_enc_exception *exception);
int csg_enc_p0_q(struct csg_enc_etm *etm, const struct csg_enc_q *q);
int csg_enc_p0_wrong_path(struct csg_enc_etm *etm, const struct csg_enc_event *event);
int csg_enc_p0_cancel(struct csg_enc_etm *etm);

#endif
