#!/bin/sh
# The table counts what ran: exactly the layers that an option reaches.
. "$(dirname "$0")/common.sh"
saxpy=$inputs/ptx/saxpy.bc
asks=$inputs/ptx/arch_dispatch.bc
blur=$inputs/x86/blur.ll
gpus='--target sm_75 --target sm_80 --target sm_90'

run "$saxpy" $gpus --out "$out"
check "it compiles: $stderr" [ "$status" -eq 0 ]
check "the table has its heading" says "$stdout" '^layer +requests +served +run +spent +saved$'
check "a kernel that does not ask is optimised once for three sm" [ "$(row optimization)" = '3 2 1' ]
check "and its machine code made three times" [ "$(row codegen)" = '3 0 3' ]
check "three files" [ "$(ls "$out"/saxpy.sm_??.O2.ptx | wc -l)" -eq 3 ]

run "$asks" $gpus --out "$out"
check "a kernel that asks is optimised for each answer" [ "$(row optimization)" = '3 1 2' ]
check "sm_80 takes the other path" grep -q cp.async "$out/arch_dispatch.sm_80.O2.ptx"
check "sm_75 does not" sh -c "! grep -q cp.async '$out/arch_dispatch.sm_75.O2.ptx'"

run "$saxpy" --target sm_75 -O0 -O1 -O2 -O3 -Os -Oz --out "$out"
check "levels are no affair of specialize" [ "$(row specialize)" = '6 5 1' ]
check "six levels" [ "$(row optimization)" = '6 0 6' ]

run "$blur" --target x86-64-v3 --emit obj,asm,bc --out "$out"
check "three kinds of output, one optimisation" [ "$(row optimization)" = '3 2 1' ]
check "object and assembly" [ "$(row codegen)" = '2 0 2' ]
for kind in o s bc; do check "a .$kind file" [ -s "$out/blur.x86-64-v3.O2.$kind" ]; done

run "$blur" "$saxpy" --target x86-64-v3 --target sm_90 --emit obj,ptx --out "$out"
check "inputs go to the targets that they are for: $stderr" [ "$status" -eq 0 ]
check "one object, one PTX" [ "$(row codegen)" = '2 0 2' ]

run "$saxpy" $gpus -O2 -O3 --explain --out "$out"
check "the reason names the member and both values" \
  says "$stdout" '^saxpy.sm_80.O2.ptx: specialize ran: sm: "sm_75" -> "sm_80"$'
check "the first has nothing to compare with" \
  says "$stdout" '^saxpy.sm_75.O2.ptx: specialize ran: nothing is stored for this input$'
check "a reason for each run" \
  [ "$(printf '%s\n' "$stdout" | grep -c ' ran: ')" -eq 11 ]
run "$asks" $gpus --explain --out "$out"
check "early cutoff explains itself" \
  says "$stdout" 'sm_80.O2.ptx: optimization ran: the upstream artifact has other content$'

# Programs that write one folder at the same time leave whole files, each one's or the other's.
for sections in false true; do
  "$compile" "$blur" --target x86-64 --function-sections=$sections --out "$out/$sections" >/dev/null
done
for i in 1 2 3 4 5 6; do
  for sections in false true; do
    "$compile" "$blur" --target x86-64 --function-sections=$sections --out "$out/both" >/dev/null 2>>"$out/both.err" &
  done
done
wait
both=$out/both/blur.x86-64.O2.o
check "no program fails: $(cat "$out/both.err")" [ ! -s "$out/both.err" ]
check "the file is one of the two" sh -c "cmp -s '$both' '$out/false/blur.x86-64.O2.o' || cmp -s '$both' '$out/true/blur.x86-64.O2.o'"
check "and nothing else is left" [ "$(ls "$out/both" | wc -l)" -eq 1 ]

run --keys
check "--keys needs no input" [ "$status" -eq 0 ]
check "a member a line, its name first" says "$stdout" '^function_sections +- +key$'
check "projections show" says "$stdout" '^level +key +codegen_level_of\(key\)$'
check "conditions show" says "$stdout" '^no_trap_after_noreturn +- +key +only if trap_unreachable$'
check "runtime-only members show" says "$stdout" '^label +- +- +runtime only$'
finish
