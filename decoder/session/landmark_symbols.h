/* SPDX-License-Identifier: BSD-3-Clause */
/* The symbols of the host's kernel, as world/landmarks.h asks for them. */
#ifndef DECODER_SESSION_LANDMARK_SYMBOLS_H
#define DECODER_SESSION_LANDMARK_SYMBOLS_H

#include "image/image.h"
#include "world/landmarks.h"

/* Names landmarks by the host's kernel, which is loaded when the first is asked for. */
struct csg_landmark_names csg_landmark_symbols(struct csg_machine *host);

#endif
