// Uniqued objects in keys, by address.
#include <layerkey/compiler_layers.hpp>
#include <layerkey/explain.hpp>
#include <layerkey/fingerprint.hpp>
#include <layerkey/identity.hpp>
#include <layerkey/layerkey.hpp>
#include <layerkey/values/optional.hpp>
#include <layerkey/values/sequences.hpp>

#include <catch2/catch.hpp>

#include <unordered_set>

namespace identity {

using namespace layerkey;

struct type {
  int size;
  friend bool operator==(type, type) = default;
};

struct request {
  by_identity<type> result = {};
  std::optional<by_identity<type>> receiver = {};
  std::vector<by_identity<type>> arguments = {};
  int level = 2;

  using layerkey_fields =
      fields<field<&request::result, affects_inference>,
             field<&request::receiver, affects_inference>,
             field<&request::arguments, affects_inference>, field<&request::level, affects_irgen>>;
};
static_assert(complete<request>);

TEST_CASE("by_identity: one object is itself, an equal one is not") {
  type const i32{4}, also_i32{4};
  CHECK(i32 == also_i32);
  CHECK(same_key<inference>(request{.result = {&i32}}, request{.result = {&i32}}));
  CHECK_FALSE(same_key<inference>(request{.result = {&i32}}, request{.result = {&also_i32}}));
  CHECK_FALSE(same_key<inference>(request{.result = {&i32}}, request{}));
}

TEST_CASE("by_identity: inside other values, of fixed and of variable size") {
  type const a{4}, b{4};
  CHECK(same_key<inference>(request{.receiver = {{&a}}}, request{.receiver = {{&a}}}));
  CHECK_FALSE(same_key<inference>(request{.receiver = {{&a}}}, request{.receiver = {{&b}}}));
  CHECK_FALSE(same_key<inference>(request{.receiver = by_identity<type>{}}, request{}));
  CHECK(
      same_key<inference>(request{.arguments = {{&a}, {&b}}}, request{.arguments = {{&a}, {&b}}}));
  CHECK_FALSE(
      same_key<inference>(request{.arguments = {{&a}, {&b}}}, request{.arguments = {{&b}, {&a}}}));
}

TEST_CASE("by_identity: what the object says does not matter") {
  type changing{4};
  auto const before = make_key<inference>(request{.result = {&changing}});
  changing.size = 8;
  CHECK(before == make_key<inference>(request{.result = {&changing}}));
  CHECK(before.hash() == make_key<inference>(request{.result = {&changing}}).hash());
}

TEST_CASE("by_identity: keys of many objects are told apart") {
  std::vector<type> const types(1'000, type{4});
  std::unordered_set<key<inference, request>, key_hash<inference>> seen;
  for (auto const& each : types) seen.insert(make_key<inference>(request{.result = {&each}}));
  CHECK(seen.size() == 1'000);
}

TEST_CASE("by_identity: leads to the object, and is deduced from a pointer") {
  type const i32{4};
  by_identity const it(&i32);
  static_assert(std::is_same_v<decltype(it), by_identity<type const> const> ||
                std::is_same_v<decltype(it), by_identity<type> const>);
  CHECK(it->size == 4);
  CHECK(&*it == &i32);
}

TEST_CASE("by_identity: an explanation shows the address") {
  type const i32{4};
  auto const found = explain<inference>(request{}, request{.result = {&i32}});
  REQUIRE(found.size() == 1);
  CHECK(found[0].before == "none");
  CHECK(found[0].after.starts_with("object 0x"));
}

// A layer that reads none of them, alone, can still be stored: only its own key can.
constexpr auto other_layer = own_fingerprint<irgen, request>();
static_assert(other_layer != digest128{});

}  // namespace identity
