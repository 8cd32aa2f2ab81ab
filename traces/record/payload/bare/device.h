/* SPDX-License-Identifier: BSD-3-Clause */
/* What a bare guest and its VMM agree on. */
#ifndef RECORD_DEVICE_H
#define RECORD_DEVICE_H

#define GUEST_BASE 0x400000
#define DEVICE 0x10000000

#endif
