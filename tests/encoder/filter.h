/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a trace unit is set not to trace: exception levels (TRCVICTLR.EXLEVEL_*, or
 * TRFCR_ELx where there is FEAT_TRF), and with the guest filters of newer kernels a
 * guest, or all but guests (cs_etm//G, //H).
 *
 * The filter turns a path into the one the unit sees: OFF where execution leaves what is
 * traced - after the context it left for, since units differ in whether they still say
 * where it went - and ON with the address where it comes back.
 */
#ifndef TESTS_ENCODER_FILTER_H
#define TESTS_ENCODER_FILTER_H

#include "encoder/model.h"
#include "encoder/path.h"

struct csg_enc_filter {
	uint8_t exclude_el;
	bool exclude_host, exclude_guest;
	bool wanted;	  /* the path itself has trace on */
	bool excluded;	  /* by the context */
	bool on;	  /* what was passed on */
	bool wrong;	  /* on a wrong path */
	bool wrong_ended; /* that has left what is traced */
};

typedef int csg_enc_filter_sink(void *arg, const struct csg_enc_event *event);

void csg_enc_filter_init(struct csg_enc_filter *f, const struct csg_enc_model *model);
/* Hands on what is left of the event; stops at and returns a negative return of the sink. */
int csg_enc_filter_put(struct csg_enc_filter *f, const struct csg_enc_event *event,
		       csg_enc_filter_sink *sink, void *arg);
/* A whole path. */
void csg_enc_filter_path(const struct csg_enc_model *model, const struct csg_enc_path *in,
			 struct csg_enc_path *out);

#endif
