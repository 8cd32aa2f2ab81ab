/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/array.h"

#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"

int csg_array_reserve(void **array, size_t *capacity, size_t want, size_t size)
{
	size_t n = *capacity ? *capacity : 16;
	void *grown;

	if (want <= *capacity)
		return 0;
	if (want > SIZE_MAX / 4 / size)
		return -CSG_E_NO_MEMORY;
	while (n < want)
		n *= 2;
	grown = realloc(*array, n * size);
	if (!grown)
		return -CSG_E_NO_MEMORY;
	*array = grown;
	*capacity = n;
	return 0;
}

int csg_array_grow(void **array, size_t count, size_t *capacity, size_t size)
{
	return csg_array_reserve(array, capacity, count + 1, size);
}

int csg_array_reach(void **array, size_t *count, size_t index, size_t size)
{
	size_t before = *count;
	int err = csg_array_reserve(array, count, index + 1, size);

	if (!err && *count > before)
		memset((uint8_t *)*array + before * size, 0, (*count - before) * size);
	return err;
}

void *csg_array_add(void *array, size_t *n, size_t *cap, size_t element)
{
	void *base;

	memcpy(&base, array, sizeof(base));
	if (csg_array_grow(&base, *n, cap, element))
		return NULL;
	memcpy(array, &base, sizeof(base));
	return memset((char *)base + (*n)++ * element, 0, element);
}
