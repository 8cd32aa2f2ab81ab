/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What LeakSanitizer is told of: OpenCSD's C API loses the small object that
 * ocsd_dt_set_gen_elem_outfn() makes, once a decode tree (1.3.3 to 1.8); its decoder loses stack
 * elements where corrupt trace ends it in the middle of an exception, and addresses at a
 * mispredict.  OpenCSD is the only C++ we link with, and fast unwinding often ends in operator
 * new, which is in libstdc++: what that allocated is not a leak of ours.  A library's name is matched
 * without a symbolizer, too.
 */
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);

const char *__lsan_default_suppressions(void)
{
	return "leak:libopencsd\n"
	       "leak:libstdc++\n";
}

__attribute__((visibility("default"))) const char *__lsan_default_options(void);

const char *__lsan_default_options(void)
{
	return "print_suppressions=0";
}
