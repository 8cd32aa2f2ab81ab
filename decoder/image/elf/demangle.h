/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * C++ and Rust names as people write them, by GNU libiberty: the demangler of perf, c++filt
 * and addr2line.  As in perf without -v, parameters and qualifiers are left out:
 * "_ZN3foo3barEi" is "foo::bar".
 */
#ifndef DECODER_IMAGE_ELF_DEMANGLE_H
#define DECODER_IMAGE_ELF_DEMANGLE_H

/* NULL where name is not mangled (or out of memory); otherwise to be freed. */
char *csg_demangle(const char *name);

#endif
