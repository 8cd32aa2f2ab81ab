# SPDX-License-Identifier: BSD-3-Clause
#
#   make            the command and the libraries, in build/
#   make demo       set-up, build, and the main job on a bundled recording
#   make check      set-up, build, every test; the last line counts them
#   make check-long the tests that take hours (tests/long/); ONLY=long/NAME: one of them
#   make check-arm64  a cross-build for arm64: unit tests and all recordings under qemu-user
#   make perf       perf with csguest inside, as build/perf; PERF_BASE=7.3 of another kernel,
#                   KERNEL_SRC=DIR of these sources (perf-patches/README.md)
#                   SANITIZE=address: with AddressSanitizer, in build/address
#   make perf-each  the same after every single patch; NO_LIBCSGUEST=1: as without libcsguest-core
#   make record     the recordings in traces/ anew, in build/record (traces/record/README.md)
#   make bench      speed and memory beside the peers'; also build/bench.json
#   make fuzz       every fuzzer for FUZZ_SECONDS (600) each
#   make unit       unit tests only; SUITE=room/file runs one
#   make lint       the rules of docs/conventions.md only
#   make golden     what differs in all output from that of BASE=REV (HEAD); QUICK=1: less of it
#                   (docs/contributing.md)
#   make abi        renews the ABI baseline, after a change of the ABI that is meant
#   make install    below PREFIX (/usr/local), staged in DESTDIR; uninstall takes it away
#                   PYTHONDIR=DIR: the Python package as well, into that folder of packages
#   make dist       the release tarball, build/csguest-VERSION.tar.xz, of HEAD
#   make deb        Debian packages of it, in build/deb
#   make clean      removes build/
#
#   OPENCSD_DIR=DIR   another OpenCSD than the system's: a folder with include/ and lib/,
#                     or the decoder/ folder of a built OpenCSD source tree
#   ONLY=e2e/NAME     with check: the jobs whose names begin so (unit, e2e/, lint/, fuzz/)
#   PERF_BASE=7.3     with check: of the series of patches for perf this one alone
#   ALONE=1           with check: patched perf without libcsguest as well, five minutes more
#   SANITIZE=address  with check: patched perf with AddressSanitizer upon all recordings as well, an hour more
#   SETUP=:           installs nothing
#   B=DIR             builds in DIR instead of build
#   NO_CAPSTONE=1     without capstone, although pkg-config finds it: nothing is disassembled
#   WERROR=1          a compiler's warning is an error
#   V=1               shows the commands
#
# Every room is a folder of decoder/; its sources are found, not listed.

# One place says the version: include/csguest/version.h.
version_of  = $(shell sed -n 's/^\#define CSG_VERSION_$1 //p' include/csguest/version.h)
VERSION    := $(call version_of,MAJOR).$(call version_of,MINOR).$(call version_of,PATCH)
SOMAJOR    := $(call version_of,MAJOR)
PREFIX     ?= /usr/local
BINDIR     ?= $(PREFIX)/bin
LIBDIR     ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
MANDIR     ?= $(PREFIX)/share/man
PYTHONDIR  ?=
BASHDIR    ?= $(PREFIX)/share/bash-completion/completions
B          ?= build
CC         ?= cc
FUZZ_CC    ?= clang
OPT        ?= -O2 -g
SETUP      ?= .ci/setup

comma    := ,
TSAN     := -O1 -g1 -fsanitize=thread -Wno-maybe-uninitialized
WARN     := -Wall -Wextra $(if $(WERROR),-Werror) -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
            -Wpointer-arith -Wvla
# Lines are all that a sanitizer's report needs.
SAN      := -O1 -g1 -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
# What is linked with tests/sanitizers.o.
SAN_LD   := -Wl,--wrap=ocsd_dt_set_gen_elem_outfn

# OpenCSD.  The run path is a DT_RPATH, not a DT_RUNPATH, because libopencsd_c_api needs
# libopencsd of the same release and only a DT_RPATH holds for that one, too.
ifdef OPENCSD_DIR
OCSD_LIBDIR := $(patsubst %/,%,$(dir $(firstword $(wildcard $(addprefix $(abspath $(OPENCSD_DIR)), \
                 /lib/libopencsd_c_api.so /lib/builddir/libopencsd_c_api.so /lib/*/libopencsd_c_api.so)))))
ifeq ($(OCSD_LIBDIR),)
$(error OPENCSD_DIR=$(OPENCSD_DIR) holds no lib/libopencsd_c_api.so and no lib/builddir/libopencsd_c_api.so)
endif
OCSD_INC := -I$(abspath $(OPENCSD_DIR))/include
OCSD_LIB := -L$(OCSD_LIBDIR) -Wl$(comma)--disable-new-dtags$(comma)-rpath$(comma)$(OCSD_LIBDIR)
endif
OCSD_LIB += -lopencsd_c_api

# Names of their own, so that CPPFLAGS, CFLAGS and LDFLAGS are the user's, also on the command line.
CPP_ALL  := -D_GNU_SOURCE -DCSG_VERSION='"$(VERSION)"' -Iinclude -Idecoder -Icommand -I$B/gen $(OCSD_INC) -MMD -MP $(CPPFLAGS)
C_ALL    := -std=gnu11 $(OPT) $(WARN) -fvisibility=hidden $(CFLAGS)
# Whole-program optimization (-flto) is for the linker to know, too.
LINK     := $(CC) $(OPT) $(CFLAGS)
CORE_LIBS := $(OCSD_LIB) -lpthread
ALL_LIBS  := $(OCSD_LIB) -lelf -ldw -lzstd -liberty -lpthread $(LDLIBS)
# The command alone writes databases.  Every system that has the other libraries has this one, so it
# is needed as they are: two kinds of csguest, with and without an option, would be two to test and
# to explain.
CMD_LIBS  := $(ALL_LIBS) -lsqlite3 -lm

# Not every system has capstone, which disassembles.  Where pkg-config finds it the command is
# linked with it, not given it at run time, so that packages depend on it as they do on every
# library.
PKG_CONFIG ?= pkg-config
ifneq ($(if $(NO_CAPSTONE),,$(shell $(PKG_CONFIG) --exists capstone 2>/dev/null && echo yes)),)
CAPSTONE := -DCSG_HAVE_CAPSTONE $(shell $(PKG_CONFIG) --cflags capstone)
CAPSTONE_LIBS := $(shell $(PKG_CONFIG) --libs capstone)
CMD_LIBS += $(CAPSTONE_LIBS)
endif

# libcsguest-core: attribution and the packet scan, without libelf, libdw and libzstd.
CORE_ROOMS := util base scan world clock guest
LIB_SRC  := $(sort $(wildcard decoder/*/*.c decoder/*/*/*.c))
CORE_SRC := $(filter $(CORE_ROOMS:%=decoder/%/%),$(LIB_SRC))
CLI_SRC  := $(sort $(wildcard command/*/*.c))
UNIT_SRC := $(sort $(wildcard tests/unit/*/*.c tests/unit/*/*/*.c))
ENC_SRC  := $(sort $(wildcard tests/encoder/*.c))
SHIM_SRC := $(sort $(wildcard tests/shim/*.c))
TOOL_SRC := $(sort $(wildcard tests/tools/*.c))
SCORE_SRC := $(sort $(wildcard tests/score/*.c))
LOCALITY_SRC := $(sort $(wildcard tests/locality/*.c))
WINDOWS_SRC := $(sort $(wildcard tests/windows/*.c))
SCALE_SRC := $(sort $(wildcard tests/scale/*.c))
SCN_SRC  := $(sort $(wildcard tests/scenarios/*.c))
FUZZ_SRC := $(sort $(wildcard tests/fuzz/*.c))
HEADERS  := $(sort $(wildcard include/csguest/*.h))
MAN      := $(sort $(wildcard docs/man/*.[1-8]))
# A page for each public header; libcsguest(3) is written by hand, and so dated.
MAN_API  := $(HEADERS:include/csguest/%.h=$B/man/csguest_%.3)

LIB_OBJ  := $(LIB_SRC:%.c=$B/obj/%.o)
CORE_OBJ := $(CORE_SRC:%.c=$B/obj/%.o)
CLI_OBJ  := $(CLI_SRC:%.c=$B/obj/%.o)
SAN_LIB  := $(LIB_SRC:%.c=$B/san/%.o)
SAN_CLI  := $(CLI_SRC:%.c=$B/san/%.o)
# All of the command but its main(), for tests.
VIEWS    := $(filter-out %/cli/main.o,$(CLI_OBJ))
SAN_VIEWS := $(filter-out %/cli/main.o,$(SAN_CLI))
# The oracle of the tests (docs/truth.md), and all of it but its main(), for other tests.
SCORE_LIB := $(filter-out %/main.o,$(SCORE_SRC:%.c=$B/obj/%.o))
SAN_SCORE := $(filter-out %/main.o,$(SCORE_SRC:%.c=$B/san/%.o))
SAN_UNIT := $(UNIT_SRC:%.c=$B/san/%.o) $(ENC_SRC:%.c=$B/san/%.o)
SAN_SCN  := $(SCN_SRC:%.c=$B/san/%.o)
TSAN_OBJ := $(LIB_SRC:%.c=$B/tsan/%.o) $(CLI_SRC:%.c=$B/tsan/%.o)
TOOLS    := $(TOOL_SRC:tests/tools/%.c=$B/tools/%)
SHIMS    := $(SHIM_SRC:tests/shim/%.c=$B/shim/%.so)
FUZZ_LIB := $(LIB_SRC:%.c=$B/fuzz/%.o)
# What inject writes, and results of shards, are fuzzed, too.
FUZZ_ROOMS := inject shard report export info text lookup timeline waits output calls
FUZZ_INJECT := $(patsubst %.c,$B/fuzz/%.o,$(filter $(foreach r,$(FUZZ_ROOMS),command/$r/%),$(CLI_SRC)))
FUZZERS  := $(FUZZ_SRC:tests/fuzz/%.c=$B/fuzz/%)

SO       := libcsguest.so.$(VERSION)
CORE_SO  := libcsguest-core.so.$(VERSION)
LIBS     := $B/libcsguest.a $B/libcsguest.so $B/libcsguest-core.a $B/libcsguest-core.so
PC       := $B/csguest.pc $B/csguest-core.pc

.PHONY: record all libs demo check check-built check-run check-long check-arm64 perf perf-each perf-all bench fuzz fuzzers unit lint golden abi install uninstall dist deb clean help format
.DELETE_ON_ERROR:
Q := $(if $V,,@)
say = $(if $V,,@printf '  %-4s %s\n' $1 $@;)
all: libs $(if $(CLI_SRC),$B/csguest $B/score)
libs: $(LIBS) $(PC) $(MAN_API)

help:
	@sed -n '3,/^# Every room/{/^# Every room/d;s/^#  \{0,3\}//;s/^#$$//;p}' Makefile

# Whatever changes the compiler's command line makes all objects anew, another prefix the .pc files.
# GNU make 4.3 keeps the newline at a file's end if its buffer moves while it reads the file.
remember = $(if $(subst x$(strip $(file <$1)),,x$(strip $2)),$(shell mkdir -p $B)$(file >$1,$2))
FLAGS := $(CC) $(CPP_ALL) $(CAPSTONE) $(C_ALL) $(SAN) $(TSAN) $(FUZZ_CC) $(CMD_LIBS) $(LDFLAGS)
$(call remember,$B/flags,$(FLAGS))
$(call remember,$B/prefix,$(PREFIX) $(LIBDIR) $(INCLUDEDIR) $(VERSION))
$B/flags $B/prefix $B/suites: ;

$B/obj/%.o: %.c $B/flags
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CPP_ALL) $(C_ALL) -fPIC -c -o $@ $<

# The tests' small recordings shall see the disk, too.
$B/san/%.o: CPP_ALL += -DCSG_DISK_MEMORY_LIMIT=65536u
$B/san/%.o: %.c $B/flags
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CPP_ALL) -Itests/unit -Itests $(C_ALL) $(SAN) -c -o $@ $<

# The unit tests' own code is run once, and hardly that: it is compiled quickly.
$B/san/tests/unit/%.o: SAN += -O0

$B/tsan/%.o: %.c $B/flags
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CPP_ALL) $(C_ALL) $(TSAN) -c -o $@ $<

$B/fuzz/%.o: %.c $B/flags
	@mkdir -p $(@D)
	$(call say,CC)$(FUZZ_CC) $(CPP_ALL) -Itests $(C_ALL) $(SAN) -fsanitize=fuzzer-no-link -c -o $@ $<

$(foreach d,obj san tsan fuzz,$B/$d/command/text/disasm.o): CPP_ALL += $(CAPSTONE)

# What the command writes into its pages, as bytes of a C array: X_page.svg, X_page.html and
# X_page.sql are for X.c.
PAGES := $(patsubst command/%,$B/gen/%.inc,$(basename $(wildcard command/*/*_page.svg command/*/*_page.html \
           command/*/*_page.sql)))
bytes = od -An -v -tu1 $< | sed 's/[0-9]\{1,\}/&,/g' > $@
$B/gen/%.inc: command/%.svg
	@mkdir -p $(@D)
	$(call say,GEN)$(bytes)
$B/gen/%.inc: command/%.sql
	@mkdir -p $(@D)
	$(call say,GEN)$(bytes)
$B/gen/%.inc: command/%.html
	@mkdir -p $(@D)
	$(call say,GEN)$(bytes)
$(foreach d,obj san tsan fuzz,$(PAGES:$B/gen/%_page.inc=$B/$d/command/%.o)): $(PAGES)

$B/libcsguest.a: $(LIB_OBJ)
$B/libviews.a: $(VIEWS)
$B/san/libviews.a: $(SAN_VIEWS)
$B/libscore.a: $(SCORE_LIB)
$B/san/libscore.a: $(SAN_SCORE)
$B/libcsguest-core.a: $(CORE_OBJ)
$B/san/libcsguest.a: $(SAN_LIB)
$B/san/libencoder.a: $(ENC_SRC:%.c=$B/san/%.o)
$B/fuzz/libcsguest.a: $(FUZZ_LIB)
$B/fuzz/libinject.a: $(FUZZ_INJECT)
%.a:
	$(call say,AR)rm -f $@ && $(AR) rcs $@ $^

# -z defs: what a library uses it is linked with; a room of the core that needs one outside fails
# here.
$B/$(SO): $(LIB_OBJ) libcsguest.map
	$(call say,LD)$(LINK) -shared -Wl,-soname,libcsguest.so.$(SOMAJOR),--version-script=libcsguest.map,-z,defs \
		$(LDFLAGS) -o $@ $(LIB_OBJ) $(ALL_LIBS)
$B/$(CORE_SO): $(CORE_OBJ) libcsguest.map
	$(call say,LD)$(LINK) -shared -Wl,-soname,libcsguest-core.so.$(SOMAJOR),--version-script=libcsguest.map,-z,defs \
		$(LDFLAGS) -o $@ $(CORE_OBJ) $(CORE_LIBS)
$B/libcsguest.so: $B/$(SO)
$B/libcsguest-core.so: $B/$(CORE_SO)
$B/%.so:
	$(Q)ln -sf $(notdir $<) $@.$(SOMAJOR)
	$(Q)ln -sf $(@F).$(SOMAJOR) $@

$B/%.pc: %.pc.in $B/prefix
	$(call say,GEN)sed 's|@PREFIX@|$(PREFIX)|;s|@LIBDIR@|$(LIBDIR)|;s|@INCLUDEDIR@|$(INCLUDEDIR)|;s|@VERSION@|$(VERSION)|' \
		$< > $@

$B/man/csguest_%.3: include/csguest/%.h docs/man/header.awk docs/man/libcsguest.3
	@mkdir -p $(@D)
	$(call say,GEN)awk -v date="$$(sed -n 's/^\.Dd //p' docs/man/libcsguest.3)" -f docs/man/header.awk $< > $@

$B/csguest: $(CLI_OBJ) $B/libcsguest.a
	$(call say,LD)$(LINK) $(LDFLAGS) -o $@ $^ $(CMD_LIBS)
$B/san/csguest: $(SAN_CLI) $B/san/tests/sanitizers.o $B/san/libcsguest.a
	$(call say,LD)$(LINK) $(SAN) $(SAN_LD) $(LDFLAGS) -o $@ $^ $(CMD_LIBS)

$B/tsan/csguest: $(TSAN_OBJ)
	$(call say,LD)$(LINK) $(TSAN) $(LDFLAGS) -o $@ $^ $(CMD_LIBS)

# The list of suites: tests/unit/ROOM/FILE.c holds the suite ROOM_FILE, and so on in folders.
SUITES := $(subst /,_,$(UNIT_SRC:tests/unit/%.c=%))
$(call remember,$B/suites,$(SUITES))
$B/suites.c: $B/suites Makefile
	@{ echo '#include <CUnit/CUnit.h>'; \
	   for s in $(SUITES); do echo "extern const CU_SuiteInfo csg_suite_$$s;"; done; \
	   echo 'extern const CU_SuiteInfo *const csg_suites[];'; \
	   echo 'const CU_SuiteInfo *const csg_suites[] = {'; \
	   for s in $(SUITES); do echo "	&csg_suite_$$s,"; done; echo '	NULL};'; } > $@

# The command's own parts (options, progress) are tested as well: all but its main().
$B/unit: $(SAN_UNIT) $(SAN_SCORE) $(SAN_VIEWS) $B/san/tests/unit/main.o $B/suites.c \
		$B/san/tests/sanitizers.o $B/san/libcsguest.a
	$(call say,LD)$(CC) $(CPP_ALL) $(C_ALL) $(SAN) $(SAN_LD) $(LDFLAGS) -o $@ $^ $(CMD_LIBS) -lcunit -lm

# Tools once more without sanitizers, for what is many decodings.
FAST_TOOLS := $(addprefix $B/tools/,hostile-fast locality-fast stacks-fast windows-fast)
$(FAST_TOOLS): $B/tools/%-fast: $B/obj/tests/tools/%.o $B/obj/tests/encoder/bytes.o \
		$B/obj/tests/encoder/random.o $B/libscore.a $B/libviews.a $B/libcsguest.a
	@mkdir -p $(@D)
	$(call say,LD)$(CC) $(C_ALL) $(LDFLAGS) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(CMD_LIBS)
$B/tools/windows-fast: $(ENC_SRC:%.c=$B/obj/%.o) $(WINDOWS_SRC:%.c=$B/obj/%.o)
$B/tools/windows: $(WINDOWS_SRC:%.c=$B/san/%.o)
$B/tools/scale: $(SCALE_SRC:%.c=$B/san/%.o)
$B/tools/locality-fast: $(LOCALITY_SRC:%.c=$B/obj/%.o)
$B/tools/locality: $(LOCALITY_SRC:%.c=$B/san/%.o)
$B/obj/tests/%.o: CPP_ALL += -Itests

# The command as it is built without capstone, for tests.
$B/plain/%.o: %.c $B/flags
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CPP_ALL) $(C_ALL) -c -o $@ $<
NO_CAPSTONE_TOOL := $B/tools/no-capstone
$(NO_CAPSTONE_TOOL): $(filter-out %/text/disasm.o,$(CLI_OBJ)) $B/plain/command/text/disasm.o $B/libcsguest.a
	@mkdir -p $(@D)
	$(call say,LD)$(LINK) $(LDFLAGS) -o $@ $^ $(filter-out $(CAPSTONE_LIBS),$(CMD_LIBS))

# Runs tests/scenarios/*.scn.
$B/san/scenario: $(SAN_SCN) $B/san/tests/sanitizers.o $B/san/libencoder.a $B/san/libcsguest.a
	$(call say,LD)$(LINK) $(SAN) $(SAN_LD) $(LDFLAGS) -o $@ $^ $(ALL_LIBS)

# Compares what is decoded with a truth.
$B/score: $B/obj/tests/score/main.o $B/libscore.a $B/libviews.a $B/libcsguest.a
	$(call say,LD)$(LINK) $(LDFLAGS) -o $@ $^ $(CMD_LIBS)
$B/san/score: $B/san/tests/score/main.o $B/san/tests/sanitizers.o $B/san/libscore.a $B/san/libviews.a $B/san/libcsguest.a
	$(call say,LD)$(LINK) $(SAN) $(SAN_LD) $(LDFLAGS) -o $@ $^ $(CMD_LIBS)

# Small programs that end-to-end tests look into the library with.
$(TOOLS): $B/tools/%: $B/san/tests/tools/%.o $B/san/tests/sanitizers.o $B/san/libencoder.a $B/san/libscore.a $B/san/libviews.a $B/san/libcsguest.a
	@mkdir -p $(@D)
	$(call say,LD)$(LINK) $(SAN) $(SAN_LD) $(LDFLAGS) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(CMD_LIBS)

# Libraries that tests put before the C library.
$(SHIMS): $B/shim/%.so: tests/shim/%.c $B/flags
	@mkdir -p $(@D)
	$(call say,LD)$(CC) $(CPP_ALL) $(C_ALL) -fvisibility=default -fPIC -shared $(LDFLAGS) -o $@ $< -ldl

unit: $B/unit
	$B/unit $(SUITE)

$(FUZZERS): $B/fuzz/%: $B/fuzz/tests/fuzz/%.o $B/fuzz/tests/sanitizers.o $B/fuzz/libinject.a $B/fuzz/libcsguest.a
	$(call say,LD)$(FUZZ_CC) $(SAN) -fsanitize=fuzzer $(SAN_LD) $(LDFLAGS) -o $@ $^ $(ALL_LIBS)
fuzzers: $(FUZZERS)

# The targets that users name do their set-up first, then call make again: a system without the
# compiler can parse this file, but not build.  Without -j they use two jobs.
AGAIN = $(MAKE) --no-print-directory $(if $(filter -j% --jobserver%,$(MAKEFLAGS)),,-j2)

demo:
	@$(SETUP) build
	@$(AGAIN) all
	@tests/demo.sh

check:
	@$(SETUP) check
	@$(AGAIN) libs
	@$(AGAIN) $(if $(ONLY),$(if $(filter e2e/perf%,$(ONLY)),perf-all QUICK=1),perf-all QUICK=1) check-built
	@$(if $(SANITIZE),$(PERF_SERIES:%=$(AGAIN) perf SETUP=: QUICK=1 PERF_BASE=% &&)) :
	@$(AGAIN) check-run

# ONLY=e2e/NAME needs no fuzzer.
wanted_by = $(if $(ONLY),$(filter $1,$(ONLY)),all)
check-built: all $(if $(CLI_SRC),$B/san/csguest) $B/score $B/san/score $B/unit $B/san/scenario $(TOOLS) $(FAST_TOOLS) $(NO_CAPSTONE_TOOL) $(SHIMS) \
		$(if $(call wanted_by,f%),fuzzers)

check-run: check-built
	@B=$B FUZZ_SECONDS=$(or $(FUZZ_SECONDS),5) JOB_SECONDS=$(or $(JOB_SECONDS),$(if $(SANITIZE),7200,600)) OPENCSD_LIB=$(OCSD_LIBDIR) tests/run.sh $(ONLY)

check-long:
	@$(SETUP) check
	@$(AGAIN) check-built $(if $(call wanted_by,long/ long/t%),$B/tsan/csguest)
	@B=$B LONG=1 JOB_SECONDS=$(or $(JOB_SECONDS),28800) OPENCSD_LIB=$(OCSD_LIBDIR) tests/run.sh $(ONLY)

check-arm64:
	@$(SETUP) arm64
	@$(AGAIN) all $B/san/scenario $B/tools/less $B/tools/lie
	@B=$B tests/arm64.sh

# perf with the patches of perf-patches/.  Set-up may also install the kernel's sources, where no
# others are found.
export PERF_BASE KERNEL_SRC QUICK NO_LIBCSGUEST
PERF_SERIES := $(or $(PERF_BASE),$(notdir $(patsubst %/,%,$(wildcard perf-patches/[0-9]*/))))
# With a sanitizer all is built apart, the library as well.
PERF_B := $B$(addprefix /,$(SANITIZE))
PERF_ENV = OPENCSD_LIB=$(OCSD_LIBDIR) OPENCSD_INC=$(OCSD_INC:-I%=%) CC="$(CC)" SETUP="$(SETUP)"
perf:
	@$(SETUP) perf
	@B=$(PERF_B) SETUP="$(SETUP)" perf-patches/build.sh --find
	@$(AGAIN) $(if $(SANITIZE),B=$(PERF_B) OPT="-O1 -g -fsanitize=$(SANITIZE) -Wno-maybe-uninitialized" $(PERF_B)/libcsguest-core.a,libs)
	@+B=$(PERF_B) SANITIZE=$(SANITIZE) $(PERF_ENV) perf-patches/build.sh
	@echo "perf: it is built without Python and Perl: perf script -s runs no scripts" >&2

perf-each:
	@$(SETUP) perf
	@B=$B SETUP="$(SETUP)" perf-patches/build.sh --find
	@$(AGAIN) libs
	@+B=$B $(PERF_ENV) perf-patches/build.sh --each

# For the tests, quickly, and for the bench, as users build it: of every series, patched and not,
# side by side. ALONE=1: also patched, but without libcsguest. Where there is no base, or a build
# fails, tests/e2e/perf-built.sh says so.
perf-all: libs
	@+SANITIZE= B=$B $(PERF_ENV) perf-patches/all.sh $(if $(ALONE),--tests,--stock) $(PERF_SERIES)

lint: all
	@B=$B tests/run.sh lint/

golden:
	@$(SETUP) check
	@B=$B tests/golden/golden.sh compare $(if $(QUICK),--quick) $(or $(BASE),HEAD)

abi:
	tests/abi/dump.sh tests/abi/libcsguest.abi

fuzz:
	@$(SETUP) check
	@$(AGAIN) all fuzzers $(if $(CLI_SRC),$B/san/csguest) $(TOOLS) $(FAST_TOOLS)
	@B=$B FUZZ_SECONDS=$(or $(FUZZ_SECONDS),600) HOSTILE=$(or $(HOSTILE),10000) JOB_SECONDS=86400 \
		tests/run.sh $(or $(ONLY),fuzz/ e2e/hostile)

record:
	@$(MAKE) -C traces/record record WORK=$(abspath $B)/record

bench:
	@$(SETUP) check
	@$(AGAIN) all perf-all $B/tools/scale
	@B=$B tests/bench/run.sh $(ONLY)

install: all
	install -d $(DESTDIR)$(BINDIR) $(DESTDIR)$(LIBDIR)/pkgconfig $(DESTDIR)$(INCLUDEDIR)/csguest
	$(if $(CLI_SRC),install -m 755 $B/csguest $(DESTDIR)$(BINDIR))
	install -m 644 $B/libcsguest.a $B/libcsguest-core.a $(DESTDIR)$(LIBDIR)
	install -m 755 $B/$(SO) $B/$(CORE_SO) $(DESTDIR)$(LIBDIR)
	cp -P $(foreach l,libcsguest libcsguest-core,$B/$l.so $B/$l.so.$(SOMAJOR)) $(DESTDIR)$(LIBDIR)
	install -m 644 $(PC) $(DESTDIR)$(LIBDIR)/pkgconfig
	$(if $(CLI_SRC),install -D -m 644 command/csguest.bash $(DESTDIR)$(BASHDIR)/csguest)
	$(if $(PYTHONDIR),install -d $(DESTDIR)$(PYTHONDIR)/csguest && install -m 644 python/csguest/*.py $(DESTDIR)$(PYTHONDIR)/csguest)
	install -m 644 $(HEADERS) $(DESTDIR)$(INCLUDEDIR)/csguest
	$(foreach m,$(MAN) $(MAN_API),install -D -m 644 $m $(DESTDIR)$(MANDIR)/man$(patsubst .%,%,$(suffix $m))/$(notdir $m) &&) :

uninstall:
	rm -f $(DESTDIR)$(BINDIR)/csguest $(DESTDIR)$(BASHDIR)/csguest
	rm -f $(addprefix $(DESTDIR)$(LIBDIR)/,$(foreach l,libcsguest libcsguest-core, \
		$l.a $l.so $l.so.$(SOMAJOR) $l.so.$(VERSION)) $(addprefix pkgconfig/,$(notdir $(PC))))
	rm -f $(addprefix $(DESTDIR)$(INCLUDEDIR)/csguest/,$(notdir $(HEADERS)))
	rmdir $(DESTDIR)$(INCLUDEDIR)/csguest 2>/dev/null || :
	$(if $(PYTHONDIR),rm -rf $(DESTDIR)$(PYTHONDIR)/csguest)
	$(foreach m,$(MAN) $(MAN_API),rm -f $(DESTDIR)$(MANDIR)/man$(patsubst .%,%,$(suffix $m))/$(notdir $m) &&) :

# All that is committed, but of the recordings only those of `make demo`.  The same bytes for the
# same commit.
DIST := csguest-$(VERSION)
dist:
	@mkdir -p $B
	$(call say,TAR)git archive --format=tar --prefix=$(DIST)/ -o $B/$(DIST).tar HEAD -- $$(git ls-tree --name-only HEAD | grep -vx traces) \
		traces/README.md traces/two-guests traces/vhe-one-guest traces/record
	$(Q)xz -f -T1 -6 $B/$(DIST).tar

# packaging/debian is made to be copied: a Debian source package has its own debian/.
deb: dist
	rm -rf $B/deb && mkdir -p $B/deb && tar -C $B/deb -xf $B/$(DIST).tar.xz
	cp -r $B/deb/$(DIST)/packaging/debian $B/deb/$(DIST)/debian
	cd $B/deb/$(DIST) && env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS -u B -u CC dpkg-buildpackage -us -uc

# Formats the C files that differ from main, and only them.
format:
	clang-format-14 -i $$(git diff --name-only --diff-filter=d main -- '*.[ch]')

clean:
	rm -rf $B

# What each object was made of, of whichever kind it is.
-include $(shell find $B -path $B/record -prune -o -name '*.d' -type f -print 2>/dev/null)
