#!/bin/sh
# table.sh PROGRAM FOLDER: all that julia_keys prints is what is expected, and it refuses what it
# does not know.
set -eu
program=$1
out=$2/julia_keys.out
expected=$(dirname "$0")/expected.txt

"$program" >"$out"
diff -u "$expected" "$out"

"$program" --keys >"$out"
grep -q '^config.params.sm  *- ' "$out" || { echo "--keys: no line of params.sm"; exit 1; }
"$program" --help >"$out"
"$program" --version >>"$out"
status=0
"$program" --no-such-option >"$out" 2>"$out.err" || status=$?
[ "$status" = 2 ] || { echo "an unknown option: status $status, not 2"; exit 1; }
[ ! -s "$out" ] || { echo "an unknown option: something on standard output"; exit 1; }
grep -q '^julia_keys: --no-such-option: ' "$out.err"
