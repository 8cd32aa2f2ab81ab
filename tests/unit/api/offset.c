/* SPDX-License-Identifier: BSD-3-Clause */
#include "csguest/offset.h"

#include "csguest/error.h"
#include "fixture.h"

static void the_guests_offset_is_an_interval(void)
{
	struct csg_session *session = fixture_open(NULL, CSG_SESSION_NO_CODE);
	const struct csg_offset_vm_info *vm;
	struct csg_offset_list *list;

	fixture_drain(session);
	CU_ASSERT_EQUAL(csg_offset_narrow(session), 0);
	CU_ASSERT_EQUAL_FATAL(csg_offset_list_create(&list, session), 0);
	CU_ASSERT_EQUAL_FATAL(csg_offset_list_count(list), 1);
	vm = csg_offset_list_vm(list, 0);
	CU_ASSERT(vm->vm > 0 && vm->residencies > 0);
	CU_ASSERT_EQUAL(vm->size, sizeof(*vm));
	CU_ASSERT_EQUAL(vm->period_size, sizeof(struct csg_offset_period));
	CU_ASSERT_FATAL(vm->period_count > 0);
	CU_ASSERT(vm->periods[0].offset.low <= vm->periods[0].offset.high);
	CU_ASSERT(vm->periods[0].sources & CSG_OFFSET_BY_TRACE);
	CU_ASSERT_PTR_NULL(csg_offset_list_vm(list, 1));
	csg_offset_list_destroy(list);
	csg_session_close(session);
}

static void wrong_use_is_refused(void)
{
	struct csg_offset_list *list = (void *)&list;

	CU_ASSERT_EQUAL(csg_offset_narrow(NULL), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_offset_list_create(&list, NULL), -CSG_E_USAGE);
	CU_ASSERT_PTR_NULL(list);
	CU_ASSERT_EQUAL(csg_offset_list_create(NULL, NULL), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_offset_list_count(NULL), 0);
	CU_ASSERT_PTR_NULL(csg_offset_list_vm(NULL, 0));
	csg_offset_list_destroy(NULL);
}

CSG_SUITE(api, offset, CSG_TEST(the_guests_offset_is_an_interval), CSG_TEST(wrong_use_is_refused));
