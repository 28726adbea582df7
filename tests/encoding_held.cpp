// Encodings and texts of keys whose struct stands in an optional or a variant, and of refined
// members.
#include <layerkey/compiler_layers.hpp>
#include <layerkey/encoding.hpp>
#include <layerkey/layerkey.hpp>
#include <layerkey/to_text.hpp>
#include <layerkey/values/optional.hpp>
#include <layerkey/values/sequences.hpp>
#include <layerkey/values/text.hpp>
#include <layerkey/values/variant.hpp>

#include "bytes.hpp"

#include <catch2/catch.hpp>

#include <set>

namespace held {

using namespace layerkey;

struct x86 {
  std::uint8_t level = 1;
  std::string cpu = "a";
  std::optional<bool> avx = true;
  using layerkey_fields = fields<field<&x86::level, affects_irgen>, field<&x86::cpu, affects_irgen>,
                                 field<&x86::avx, affects_irgen>>;
};

struct limits {
  std::uint16_t threads = 256;
  using layerkey_fields = fields<field<&limits::threads, affects_irgen>>;
};

struct ptx {
  std::uint8_t sm = 90;
  std::optional<limits> bounds = {};
  using layerkey_fields = fields<field<&ptx::sm, affects_irgen>, field<&ptx::bounds, per_member>>;
};

struct job {
  bool first = true;
  std::variant<x86, ptx> target = {};
  std::optional<x86> host = {};
  std::uint8_t last = 7;
  using layerkey_fields = fields<field<&job::first, affects_irgen>, field<&job::target, per_member>,
                                 field<&job::host, per_member>, field<&job::last, affects_irgen>>;
};
static_assert(complete<job>);

std::string members_of(job const& p) {
  auto const whole = bytes::of<irgen>(p);
  CHECK(whole == bytes::of(make_key<irgen>(p)));
  return bytes::hex(std::string_view(whole).substr(5 + 13 + 2 + 32, whole.size() - 52 - 8));
}

TEST_CASE("encoding: of a variant the alternative, then its members, of an optional the flag") {
  CHECK(members_of(job{}) == "01 00 00 01 01 00 00 00 00 00 00 00 61 01 01 00 07");
  CHECK(members_of(job{.target = ptx{}}) == "01 01 00 5a 00 00 07");
  CHECK(members_of(job{.target = ptx{.bounds = limits{}}, .host = x86{.cpu = ""}}) ==
        "01 01 00 5a 01 00 01 01 01 00 00 00 00 00 00 00 00 01 01 07");
}

TEST_CASE("encoding: held structs: equal as keys are, and none begins another") {
  std::vector<job> all;
  for (bool const first : {false, true})
    for (std::uint8_t const last : {std::uint8_t{0}, std::uint8_t{1}})
      for (auto const& host : {std::optional<x86>(), std::optional<x86>(x86{0, "", false}),
                               std::optional<x86>(x86{0, "b", std::nullopt})})
        for (auto const& target :
             {std::variant<x86, ptx>(x86{0, "", false}),
              std::variant<x86, ptx>(x86{0, "ab", false}), std::variant<x86, ptx>(ptx{0, {}}),
              std::variant<x86, ptx>(ptx{0, limits{0}})})
          all.push_back({first, target, host, last});
  std::set<std::string> seen;
  for (auto const& each : all) {
    CHECK(bytes::of<irgen>(each) == bytes::of(make_key<irgen>(each)));
    auto whole = bytes::of<irgen>(each);
    whole.resize(whole.size() - 8);
    seen.insert(whole);
  }
  CHECK(seen.size() == all.size());
  for (auto at = seen.begin(); std::next(at) != seen.end(); ++at)
    CHECK_FALSE(std::next(at)->starts_with(*at));
}

TEST_CASE("to_text: what is not held reads none") {
  CHECK(to_text(make_key<irgen>(job{.target = ptx{.bounds = limits{}}})) ==
        "first = true\n"
        "target = #1\n"
        "target.level = none\n"
        "target.cpu = none\n"
        "target.avx = none\n"
        "target.sm = 90\n"
        "target.bounds = present\n"
        "target.bounds.threads = 256\n"
        "host = none\n"
        "host.level = none\n"
        "host.cpu = none\n"
        "host.avx = none\n"
        "last = 7\n");
}

TEST_CASE("schema: members of held structs stand behind the state") {
  CHECK(schema_text<irgen, job>() ==
        "layerkey-schema/1;layer=5:irgen;first:bool;target:11:alternative;target.level:u8;"
        "target.cpu:4:text(text);target.avx:8:optional(bool?);target.sm:u8;"
        "target.bounds:8:presence;target.bounds.threads:u16;host:8:presence;host.level:u8;"
        "host.cpu:4:text(text);host.avx:8:optional(bool?);last:u8;");
}

// ---- refined -----------------------------------------------------------------------------------

struct launch {
  bool kernel = false;
  limits bounds;
  using layerkey_fields =
      fields<field<&launch::kernel, affects_irgen>, field<&launch::bounds, per_member>,
             refine<path<&launch::bounds, &limits::threads>, only_if<&launch::kernel>>>;
};
static_assert(complete<launch>);

TEST_CASE("encoding: a refinement's condition is in the schema, its value in the key") {
  CHECK(schema_text<irgen, launch>() ==
        "layerkey-schema/1;layer=5:irgen;kernel:bool;bounds.threads:u16,if=(kernel);");
  CHECK(bytes::of<irgen>(launch{false, {8}}) == bytes::of<irgen>(launch{}));
  CHECK(bytes::of<irgen>(launch{true, {8}}) == bytes::of(make_key<irgen>(launch{true, {8}})));
  CHECK(bytes::of<irgen>(launch{true, {8}}) != bytes::of<irgen>(launch{true, {16}}));
}

}  // namespace held
