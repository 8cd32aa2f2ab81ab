/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/array.h"

#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"

int csg_array_grow(void **array, size_t count, size_t *capacity, size_t size)
{
	size_t more = *capacity ? *capacity * 2 : 16;
	void *grown;

	if (count < *capacity)
		return 0;
	if (more > SIZE_MAX / 2 / size)
		return -CSG_E_NO_MEMORY;
	grown = realloc(*array, more * size);
	if (!grown)
		return -CSG_E_NO_MEMORY;
	*array = grown;
	*capacity = more;
	return 0;
}

int csg_array_reach(void **array, size_t *count, size_t index, size_t size)
{
	size_t n = *count ? *count : 16;
	void *grown;

	if (index < *count)
		return 0;
	if (index >= SIZE_MAX / 4 / size)
		return -CSG_E_NO_MEMORY;
	while (n <= index)
		n *= 2;
	grown = realloc(*array, n * size);
	if (!grown)
		return -CSG_E_NO_MEMORY;
	memset((uint8_t *)grown + *count * size, 0, (n - *count) * size);
	*array = grown;
	*count = n;
	return 0;
}

void *csg_array_add(void *array, size_t *n, size_t *cap, size_t element)
{
	char *base;

	memcpy(&base, array, sizeof(base));
	if (*n == *cap) {
		size_t more = *cap ? *cap * 2 : 16;

		base = reallocarray(base, more, element);
		if (!base)
			return NULL;
		memcpy(array, &base, sizeof(base));
		*cap = more;
	}
	memset(base + *n * element, 0, element);
	return base + (*n)++ * element;
}
