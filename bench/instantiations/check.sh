#!/bin/sh
# check.sh INCLUDE_DIR [--write]: counts what clang 19 instantiates for structs of 10 to 500 members
# and five layers, and fails where that is 3 % more than baseline.txt says; --write makes a new
# baseline. Exits with 4 where clang++-19 is missing.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
if ! command -v clang++-19 > /dev/null; then
  echo "clang++-19 is not installed"
  exit 4
fi
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

for members in 10 50 200 500; do
  sh "$here/generate.sh" "$members" > "$out/params.cpp"
  clang++-19 -std=c++20 -I"$1" -ftime-trace="$out/trace.json" -ftime-trace-granularity=0 \
    -c "$out/params.cpp" -o "$out/params.o"
  tr ',' '\n' < "$out/trace.json" | awk -v members="$members" '
    /"name":"InstantiateFunction"/ { ++functions }
    /"name":"InstantiateClass"/ { ++classes }
    END { print members, functions + 0, classes + 0 }' >> "$out/counts"
done

if [ "${2-}" = --write ]; then
  {
    echo "# members, function and class instantiations; written by check.sh --write"
    cat "$out/counts"
  } > "$here/baseline.txt"
fi
awk '
  /^#/ { next }
  NR == FNR { functions[$1] = $2; classes[$1] = $3; next }
  {
    worse = !($1 in functions) || $2 > 1.03 * functions[$1] || $3 > 1.03 * classes[$1]
    printf "%3d members: %5d functions (baseline %5d), %5d classes (baseline %5d)%s\n",
           $1, $2, functions[$1], $3, classes[$1], worse ? "  TOO MANY" : ""
    failed = failed || worse
  }
  END { exit failed || FNR != 4 }' "$here/baseline.txt" "$out/counts"
