#include "random_params.hpp"
#include "sample_params.hpp"

#include <catch2/catch.hpp>

#include <unordered_map>
#include <unordered_set>

using namespace sample;

namespace {

template<class Layer>
using key_of = layerkey::key<Layer, params>;

using table =
    std::unordered_map<key_of<back>, int, layerkey::key_hash<back>, layerkey::key_equal<back>>;

// As a table meets it when all hashes collide.
struct constant_hash : layerkey::key_hash<back> {
  template<class T>
  std::size_t operator()(T const& v) const {
    static_cast<void>(layerkey::key_hash<back>::operator()(v));
    return 7;
  }
};

// Each params under the number of the first one with the same key, found by comparing alone.
template<class Table>
void check_against_list() {
  vary::engine random(17);
  Table found;
  std::vector<params> kept;
  for (int i = 0; i != 300; ++i) {
    params const p = kept.empty() || i % 3 == 0
                         ? vary::random_params<params>(random)
                         : vary::neighbour(kept[random() % kept.size()], random);
    int first = 0;
    while (first != static_cast<int>(kept.size()) &&
           !layerkey::same_key<back>(kept[static_cast<std::size_t>(first)], p))
      ++first;
    bool const is_new = first == static_cast<int>(kept.size());

    auto const by_params = found.find(p);
    auto const by_key = found.find(layerkey::make_key<back>(p));
    REQUIRE((by_params == found.end()) == is_new);
    REQUIRE(by_key == by_params);
    REQUIRE(found.contains(p) == !is_new);
    if (!is_new) REQUIRE(by_params->second == first);

    REQUIRE(found.emplace(layerkey::make_key<back>(p), first).second == is_new);
    if (is_new) kept.push_back(p);
  }
  CHECK(found.size() == kept.size());
  CHECK(kept.size() > 100);
  CHECK(kept.size() < 300);
}

}  // namespace

TEST_CASE("keys are keys of a standard table, found by key and by params") {
  check_against_list<table>();
}

TEST_CASE("a table stays right when all hashes collide") {
  check_against_list<
      std::unordered_map<key_of<back>, int, constant_hash, layerkey::key_equal<back>>>();
}

TEST_CASE("hash and equality of params are those of their keys") {
  params a;
  params b;
  b.verify = false;
  params c;
  c.architecture = 80;
  layerkey::key_hash<back> const hash;
  layerkey::key_equal<back> const equal;
  CHECK(hash(a) == hash(layerkey::make_key<back>(a)));
  CHECK(hash(a) == hash(b));
  CHECK(hash(a) != hash(c));
  CHECK(equal(a, b));
  CHECK(equal(a, layerkey::make_key<back>(b)));
  CHECK(equal(layerkey::make_key<back>(a), b));
  CHECK_FALSE(equal(a, c));
  CHECK_FALSE(equal(layerkey::make_key<back>(c), a));
}

TEST_CASE("a key outlives the params that it was made of") {
  table found;
  {
    params p;
    p.module = std::string(100, 'm');
    p.passes = {std::string(100, 'p')};
    found.emplace(layerkey::make_key<back>(p), 1);
    p.module.assign(100, '!');
    p.passes.clear();
  }
  params q;
  q.module = std::string(100, 'm');
  q.passes = {std::string(100, 'p')};
  CHECK(found.contains(q));
}

TEST_CASE("a set of a middle layer's keys merges what only the last layer reads") {
  std::unordered_set<key_of<middle>, layerkey::key_hash<middle>, layerkey::key_equal<middle>> keys;
  params p;
  for (int sm : {70, 80, 90}) {
    p.architecture = sm;
    keys.insert(layerkey::make_key<middle>(p));
  }
  CHECK(keys.size() == 1);
  p.alignment = 32;
  keys.insert(layerkey::make_key<middle>(p));
  CHECK(keys.size() == 2);
}
