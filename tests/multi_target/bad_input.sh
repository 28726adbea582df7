#!/bin/sh
# Bad input: one clear line (what, where, what is possible), exit status 1, the rest is still compiled,
# nothing wrong is cached. Wrong usage: exit status 2.
. "$(dirname "$0")/common.sh"
saxpy=$inputs/ptx/saxpy.bc
blur=$inputs/x86/blur.ll

# refused STATUS REGEX ARGUMENT...: fails with one line that matches and this status
refused() {
  expected=$1
  regex=$2
  shift 2
  rm -f "$out"/*.o "$out"/*.ptx
  run "$@" --out "$out"
  check "exit status $expected, not $status: $*" [ "$status" -eq "$expected" ]
  check "one line, not: $stderr" [ "$(printf '%s\n' "$stderr" | wc -l)" -eq 1 ]
  check "it matches '$regex': $stderr" says "$stderr" "^layerkey-compile: $regex"
}
# and the good input was compiled
still() { check "$1 is still compiled" [ -s "$out/$1" ]; }

refused 1 'no-such.ll: no such file; ' no-such.ll "$blur" --target x86-64
still blur.x86-64.O2.o
refused 1 '.*: is a directory; ' "$inputs" "$blur" --target x86-64
refused 1 '.*broken.ll:6:10: expected instruction opcode; ' "$broken/broken.ll" "$blur" --target x86-64
still blur.x86-64.O2.o
refused 1 '.*empty.ll: is empty; ' "$broken/empty.ll" "$blur" --target x86-64
still blur.x86-64.O2.o
refused 1 '.*other_target.ll: the module is for aarch64-unknown-linux-gnu; .*x86-64' \
  "$broken/other_target.ll" "$blur" --target x86-64
still blur.x86-64.O2.o
refused 1 '.*verifier_error.ll: .*Instruction does not dominate all uses.*; ' \
  "$broken/verifier_error.ll" "$blur" --target x86-64
refused 1 '.*not_ir.bc:1:1: expected top-level entity; ' "$broken/not_ir.bc" "$blur" --target x86-64
refused 1 '.*bad_bitcode.bc: .*; bitcode of LLVM 19 or older, whole, is expected' \
  "$broken/bad_bitcode.bc" "$blur" --target x86-64
head -c 2000 "$saxpy" >"$out/cut.bc"
refused 1 '.*cut.bc: ' "$out/cut.bc" "$saxpy" --target sm_90
still saxpy.sm_90.O2.ptx
refused 1 '.*saxpy.bc: the module is for nvptx64-nvidia-cuda; .*x86-64' "$saxpy" --target x86-64

refused 1 "--target x86-64-v9: unknown CPU 'x86-64-v9'.*x86-64-v.*-mcpu=help" "$blur" --target x86-64-v9 --target x86-64
still blur.x86-64.O2.o
refused 1 "--target x86-64: unknown feature 'avx22'.*avx2.*-mattr=help" "$blur" --target x86-64 --features +avx22
refused 1 "--target x86-64: .*'avx2' has no sign" "$blur" --target x86-64 --features avx2
refused 1 "--target sm_100: .*sm_20.*sm_90a" "$saxpy" --target sm_100 --target sm_90
still saxpy.sm_90.O2.ptx
refused 1 "--target sm_90: .*PTX version 88.*8.5" "$saxpy" --target sm_90 --ptx-version 88
refused 1 "-O7: no such level; possible: -O0, -O1, -O2, -O3, -Os, -Oz" "$blur" --target x86-64 -O7 -O1
still blur.x86-64.O1.o
refused 1 "--target x86-64: .*possible: obj, asm, bc" "$blur" --target x86-64 --emit ptx
refused 1 '.*no-lib.bc: ' "$saxpy" "$blur" --target sm_90 --target x86-64 --libdevice no-lib.bc
still blur.x86-64.O2.o
head -c 4096 /dev/zero >"$out/zero.bc"
refused 1 '.*zero.bc: is no LLVM IR' "$out/zero.bc" "$blur" --target x86-64
still blur.x86-64.O2.o
refused 1 '.*broken.ll:6:10: ' "$saxpy" --target sm_90 --libdevice "$broken/broken.ll"
mkdir "$out/same" && cp "$blur" "$out/same/blur.ll"
refused 1 '.*blur.ll: another input makes blur.x86-64.O2.o too; ' "$blur" "$out/same/blur.ll" --target x86-64

run "$blur" --target x86-64 --out "$out/same/blur.ll/below"
check "an output folder that cannot be: $stderr" says "$stderr" 'below: cannot write there.*--out'
check "is exit status 1" [ "$status" -eq 1 ]
mkdir "$out/taken" "$out/taken/blur.x86-64.O2.o"
run "$blur" --target x86-64 -O2 -O1 --out "$out/taken"
check "a file that cannot be written: $stderr" says "$stderr" 'blur.x86-64.O2.o: cannot write: '
check "is exit status 1" [ "$status" -eq 1 ]
check "and the others are written" [ -s "$out/taken/blur.x86-64.O1.o" ]
check "nothing partial is left" [ "$(ls "$out/taken" | wc -l)" -eq 2 ]

"$compile" "$blur" --target x86-64 --out "$out" >/dev/full 2>"$out/stderr"
check "a table that cannot be printed is exit status 1" [ "$?" -eq 1 ]

refused 2 'unknown option --bogus; ' "$blur" --target x86-64 --bogus
refused 2 'unknown option -v; ' "$blur" --target x86-64 -vv
refused 2 'no --target; ' "$blur"
refused 2 'no input files; ' --target x86-64
refused 2 '--emit foo is not possible; possible: obj, asm, ptx, bc' "$blur" --target x86-64 --emit foo
refused 2 '--relocation-model=foo is not possible; possible: static, pic' "$blur" --target x86-64 --relocation-model foo
run --help
check "--help succeeds" [ "$status" -eq 0 ]
run --version
check "--version says which" says "$stdout" '^layerkey-compile [0-9]+\.[0-9]+\.[0-9]+$'

# Nothing wrong is kept: the same key, asked for again in the same process, fails again.
run "$broken/other_target.ll" "$broken/other_target.ll" "$blur" --target x86-64 --out "$out"
check "both fail" [ "$(printf '%s\n' "$stderr" | grep -c 'is for aarch64')" -eq 2 ]
check "and only the good one ran" [ "$(row optimization)" = '1 0 1' ]
finish
