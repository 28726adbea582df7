#include <layerkey/key_hooks.hpp>

#include "sample_params.hpp"

#include <boost/container_hash/hash.hpp>
#include <catch2/catch.hpp>

#include <unordered_map>
#include <unordered_set>

using namespace sample;

namespace {

// What AbslHashValue is given, in short.
struct fake_state {
  std::vector<std::uint64_t> combined = {};

  static fake_state combine(fake_state s, std::uint64_t v) {
    s.combined.push_back(v);
    return s;
  }
};

template<class Key>
void check_hooks(Key const& a, Key const& same, Key const& other) {
  CHECK(std::hash<Key>{}(a) == a.hash());
  CHECK(std::hash<Key>{}(a) == std::hash<Key>{}(same));
  CHECK(std::hash<Key>{}(a) != std::hash<Key>{}(other));
  CHECK(boost::hash<Key>{}(a) == a.hash());
  CHECK(boost::hash<Key>{}(a) != boost::hash<Key>{}(other));
  CHECK(hash_value(a) == a.hash());
  CHECK(AbslHashValue(fake_state{}, a).combined == std::vector<std::uint64_t>{a.hash()});
  CHECK(AbslHashValue(fake_state{}, a).combined == AbslHashValue(fake_state{}, same).combined);
  CHECK(AbslHashValue(fake_state{}, a).combined != AbslHashValue(fake_state{}, other).combined);
}

}  // namespace

TEST_CASE("key hooks: every library hashes keys by their own hash") {
  params a, same, other;
  same.verify = false;
  other.architecture = 80;
  check_hooks(layerkey::make_key<back>(a), layerkey::make_key<back>(same),
              layerkey::make_key<back>(other));
  check_hooks(layerkey::make_own_key<back>(a), layerkey::make_own_key<back>(same),
              layerkey::make_own_key<back>(other));
}

TEST_CASE("key hooks: keys are keys of standard tables without more words") {
  std::unordered_map<layerkey::key<back, params>, int> table;
  std::unordered_set<layerkey::own_key<middle, params>> own;
  params p;
  for (int sm : {70, 80, 70}) {
    p.architecture = sm;
    table[layerkey::make_key<back>(p)] = sm;
    own.insert(layerkey::make_own_key<middle>(p));
  }
  CHECK(table.size() == 2);
  CHECK(own.size() == 1);
}
