#!/bin/sh
# PTX is that of `opt-19 -ON | llc-19 -ON -mcpu=SM`, comments dropped and LLVM's process-wide numbers
# renumbered: every kernel of the demonstration, O0 to O3. A kernel that asks for the architecture is
# compared with `opt-19 -ON -mcpu=SM`, one that calls the device library with what llvm-link-19 links.
. "$(dirname "$0")/common.sh"

sms='sm_75 sm_80 sm_90'
library=$(cat "$inputs/libdevice.path")
run $(cat "$inputs/ptx.list") --libdevice "$library" $(printf -- '--target %s ' $sms) \
  -O0 -O1 -O2 -O3 --out "$out"
check "all compile: $stderr" [ "$status" -eq 0 ]

normalized() {
  sed -e 's,//.*,,' -e 's/[[:space:]]*$//' "$1" | awk '
    NF == 0 { next }
    { while (match($0, /prototype_[0-9]+/)) {
        found = substr($0, RSTART, RLENGTH)
        if (!(found in number)) number[found] = count++
        $0 = substr($0, 1, RSTART - 1) "prototype<" number[found] ">" substr($0, RSTART + RLENGTH)
      }
      print }'
}

while read -r module; do
  stem=$(basename "$module" .bc)
  linked=
  if "$tools/llvm-nm" "$module" | grep -q ' U __nv_'; then
    linked=yes
    "$tools/llvm-link" "$module" --only-needed --internalize "$library" -o "$out/$stem.bc" 2>/dev/null
    module=$out/$stem.bc
  fi
  asks=
  "$tools/llvm-nm" "$module" | grep -q ' U __nvvm_reflect' && asks=yes
  for sm in $sms; do
    for level in 0 1 2 3; do
      name=$out/$stem.$sm.O$level
      "$tools/opt" "-O$level" ${asks:+-mcpu=$sm} "$module" |
        "$tools/llc" "-O$level" "-mcpu=$sm" -o "$name.ref.ptx"
      normalized "$name.ptx" >"$name.ours"
      normalized "$name.ref.ptx" >"$name.theirs"
      # llvm-link moves functions of linkonce linkage; at O0 they are still there.
      if [ "$linked$level" = yes0 ]; then
        for text in "$name.ours" "$name.theirs"; do
          sed -e 's/BB[0-9]*_/BB_/g' -e 's/__local_depot[0-9]*/__local_depot/g' "$text" | sort >"$text.sorted"
          mv "$text.sorted" "$text"
        done
      fi
      check "$name.ptx is that of opt | llc" cmp "$name.ours" "$name.theirs"
    done
  done
done <"$inputs/ptx.list"
finish
