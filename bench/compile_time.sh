#!/bin/sh
# compile_time.sh INCLUDE_DIR [COMPILER...]: CPU time, the least of five, of one struct of 24 members
# and three layers in a translation unit, and of each further one; of layerkey.hpp alone, and of
# Mp11's lists and algorithms. Compare within one run, on a quiet machine.
set -eu
include=$1
shift
if [ $# -eq 0 ]; then set -- g++ clang++-19; fi
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

# structs COUNT: a translation unit with that many structs.
structs() {
  awk -v count="$1" 'BEGIN {
    types = split("std::int64_t std::int32_t std::uint16_t kind bool bool bool float", type, " ")
    split("inference irgen codegen", layer, " ")
    print "#include <layerkey/layerkey.hpp>\n#include <cstdint>"
    for (k = 0; k != count; ++k) {
      printf "namespace n%d {\nenum class kind : std::uint8_t { a, b };\n", k
      print "struct inference : layerkey::layer<> {};"
      print "struct irgen : layerkey::layer<inference> {};"
      print "struct codegen : layerkey::layer<irgen> {};\nstruct params {"
      for (i = 0; i != 24; ++i) printf "  %s m%d{};\n", type[i % types + 1], i
      print "  using layerkey_fields = layerkey::fields<"
      for (i = 0; i != 24; ++i)
        printf "      layerkey::field<&params::m%d, layerkey::affects<%s>>%s\n", i,
               layer[int(i / 8) + 1], i == 23 ? ">;\n};" : ","
      print "static_assert(layerkey::complete<params>);"
      for (i = 1; i <= 3; ++i) {
        printf "std::uint64_t hash_%s(params const& p) ", layer[i]
        printf "{ return layerkey::key_hash<%s>{}(p); }\n", layer[i]
        printf "bool equal_%s(params const& a, params const& b) ", layer[i]
        printf "{ return layerkey::same_key<%s>(a, b); }\n", layer[i]
      }
      print "}"
    }
  }'
}

# least FILE OPTION...: in milliseconds. `times` has the CPU time of the children in its last line.
least() {
  file=$1
  shift
  for round in 1 2 3 4 5; do
    sh -c '"$@"; times' sh "$compiler" -std=c++20 -I"$include" "$@" -c "$file" -o "$out/object.o" |
      tail -n 1
  done | awk '{
    split($1, user, /[ms]/); split($2, kernel, /[ms]/)
    ms = 1000 * (60 * (user[1] + kernel[1]) + user[2] + kernel[2])
    if (NR == 1 || ms < best) best = ms
  } END { printf "%.0f", best }'
}

printf '#include <boost/mp11/list.hpp>\n#include <boost/mp11/algorithm.hpp>\n' > "$out/mp11.cpp"
for count in 0 1 11; do structs $count > "$out/structs$count.cpp"; done
for compiler; do
  mp11=$(least "$out/mp11.cpp" -O0)
  for level in -O0 -O2; do
    none=$(least "$out/structs0.cpp" $level)
    one=$(least "$out/structs1.cpp" $level)
    eleven=$(least "$out/structs11.cpp" $level)
    echo "$compiler $level: Mp11 $mp11 ms, layerkey.hpp $none ms, with a first struct $one ms," \
      "each further struct $(((eleven - one) / 10)) ms"
  done
done
