# SPDX-License-Identifier: BSD-3-Clause
#
#   make            the command and the libraries, in build/
#   make demo       set-up, build, and the main job on a bundled fixture
#   make check      set-up, build with sanitizers, every test
#   make bench      speed and memory beside the peers'
#   make install    PREFIX=/usr/local DESTDIR=
#
# Every room is a folder of decoder/; its sources are found, not listed.

VERSION  := 0.1.0
SOMAJOR  := 0
PREFIX   ?= /usr/local
B        := build
CC       ?= cc
OPT      ?= -O2 -g

WARN     := -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
            -Wpointer-arith -Wvla
LIBS_PC  := libelf libdw libzstd
OCSD_INC := $(if $(OPENCSD_DIR),-I$(OPENCSD_DIR)/include)
OCSD_LIB := $(if $(OPENCSD_DIR),-L$(OPENCSD_DIR)/lib -Wl$(comma)-rpath$(comma)$(OPENCSD_DIR)/lib) -lopencsd_c_api
comma    := ,
CPPFLAGS += -D_GNU_SOURCE -DCSG_VERSION='"$(VERSION)"' -Iinclude -Idecoder $(OCSD_INC) -MMD -MP
CFLAGS   += -std=gnu11 $(OPT) $(WARN) -fvisibility=hidden
LDLIBS   += $(OCSD_LIB) -lelf -ldw -lzstd -lpthread
SAN      := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer

LIB_SRC  := $(filter-out decoder/cli/%,$(sort $(wildcard decoder/*/*.c)))
CLI_SRC  := $(sort $(wildcard decoder/cli/*.c))
UNIT_SRC := $(sort $(wildcard tests/unit/*/*.c))
ENC_SRC  := $(sort $(wildcard tests/encoder/*.c))

LIB_OBJ  := $(LIB_SRC:%.c=$B/obj/%.o)
CLI_OBJ  := $(CLI_SRC:%.c=$B/obj/%.o)
SAN_LIB  := $(LIB_SRC:%.c=$B/san/%.o)
SAN_CLI  := $(CLI_SRC:%.c=$B/san/%.o)
SAN_UNIT := $(UNIT_SRC:%.c=$B/san/%.o) $(ENC_SRC:%.c=$B/san/%.o)

.PHONY: all unit clean
.DELETE_ON_ERROR:
all: $B/libcsguest.a

$B/obj/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -fPIC -c -o $@ $<

$B/san/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) -Itests/unit -Itests $(CFLAGS) $(SAN) -c -o $@ $<

$B/libcsguest.a: $(LIB_OBJ)
	rm -f $@ && $(AR) rcs $@ $^

# The list of suites: tests/unit/ROOM/FILE.c holds the suite ROOM_FILE.
SUITES := $(subst /,_,$(UNIT_SRC:tests/unit/%.c=%))
$B/suites.c: $(UNIT_SRC) Makefile
	@mkdir -p $(@D)
	@{ echo '#include <CUnit/CUnit.h>'; \
	   for s in $(SUITES); do echo "extern const CU_SuiteInfo csg_suite_$$s;"; done; \
	   echo 'extern const CU_SuiteInfo *const csg_suites[];'; \
	   echo 'const CU_SuiteInfo *const csg_suites[] = {'; \
	   for s in $(SUITES); do echo "	&csg_suite_$$s,"; done; echo '	NULL};'; } > $@

$B/unit: $(SAN_LIB) $(SAN_UNIT) $B/san/tests/unit/main.o $B/suites.c
	$(CC) $(CPPFLAGS) $(CFLAGS) $(SAN) -o $@ $^ $(LDLIBS) -lcunit

unit: $B/unit
	$B/unit $(SUITE)

clean:
	rm -rf $B

-include $(shell find $B -name '*.d' 2>/dev/null)
