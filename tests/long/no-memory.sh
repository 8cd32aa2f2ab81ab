#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# tests/e2e/no-memory.sh with every allocation of every command, and with those of libraries below
# csguest.
export PLACES=all
exec "$(dirname "$0")/../e2e/no-memory.sh"
