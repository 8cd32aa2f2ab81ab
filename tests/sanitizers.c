/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What LeakSanitizer is to ignore: OpenCSD's C API loses the small object that
 * ocsd_dt_set_gen_elem_outfn() makes, once a decode tree (1.3.3 to 1.8); its decoder loses stack
 * elements where corrupt trace ends it in the middle of an exception, and addresses at a
 * mispredict.  OpenCSD is the only C++ we link with, and fast unwinding often ends in operator new,
 * which is in libstdc++: what that allocated is not a leak of ours.  A library's name is matched
 * without a symbolizer, too.
 */
#if defined(__SANITIZE_ADDRESS__) || defined(__clang__) /* else built without: make check-arm64 */

#include <sanitizer/lsan_interface.h>

#include <opencsd/c_api/opencsd_c_api.h>

/*
 * A leak that is only suppressed has its stack reported in names, for which all debug information
 * is read: what every tree loses is never taken for one (the linker's --wrap).
 */
ocsd_err_t __real_ocsd_dt_set_gen_elem_outfn(dcd_tree_handle_t tree, FnTraceElemIn fn,
					     const void *arg);
ocsd_err_t __wrap_ocsd_dt_set_gen_elem_outfn(dcd_tree_handle_t tree, FnTraceElemIn fn,
					     const void *arg);

ocsd_err_t __wrap_ocsd_dt_set_gen_elem_outfn(dcd_tree_handle_t tree, FnTraceElemIn fn,
					     const void *arg)
{
	ocsd_err_t err;

	__lsan_disable();
	err = __real_ocsd_dt_set_gen_elem_outfn(tree, fn, arg);
	__lsan_enable();
	return err;
}

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

#endif
