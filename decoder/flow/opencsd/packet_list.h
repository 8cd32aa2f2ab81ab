/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The packets of a source through all chunks of its queue (csguest/packet.h): a pass of its own,
 * apart from scan and flow.
 */
#ifndef DECODER_FLOW_OPENCSD_PACKET_LIST_H
#define DECODER_FLOW_OPENCSD_PACKET_LIST_H

#include "csguest/packet.h"
#include "recording/recording.h"

#endif
