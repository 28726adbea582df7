#!/bin/sh
# generate.sh MEMBERS: a struct of that many members, spread over five layers, and what a user asks
# for in each layer.
awk -v members="$1" 'BEGIN {
  types = split("std::int32_t bool std::uint8_t kind float std::int64_t bool std::uint16_t", type, " ")
  print "#include <layerkey/layerkey.hpp>\n\n#include <cstdint>\n"
  print "enum class kind : std::uint8_t { a, b };\n"
  print "struct layer0 : layerkey::layer<> {};"
  for (i = 1; i != 5; ++i) printf "struct layer%d : layerkey::layer<layer%d> {};\n", i, i - 1
  print "\nstruct params {"
  for (i = 0; i != members; ++i) printf "  %s m%d{};\n", type[i % types + 1], i
  print "\n  using layerkey_fields = layerkey::fields<"
  for (i = 0; i != members; ++i) {
    printf "      layerkey::field<&params::m%d, ", i
    if (i % 10 == 9)
      printf "layerkey::runtime_only>"
    else
      printf "layerkey::affects<layer%d>>", int(i * 5 / members)
    print i + 1 == members ? ">;" : ","
  }
  print "};\nstatic_assert(layerkey::complete<params>);\n"
  for (i = 0; i != 5; ++i) {
    printf "std::uint64_t hash%d(params const& p) {\n", i
    printf "  return layerkey::key_hash<layer%d>{}(p);\n}\n", i
    printf "bool equal%d(layerkey::key<layer%d, params> const& k, params const& p) {\n", i, i
    printf "  return layerkey::key_equal<layer%d>{}(k, p);\n}\n", i
    printf "layerkey::key<layer%d, params> key%d(params const& p) {\n", i, i
    printf "  return layerkey::make_key<layer%d>(p);\n}\n", i
  }
}'
