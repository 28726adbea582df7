// Values of variable size in keys: no two different ones write the same bytes, however they follow
// each other.
#include <layerkey/detail/whole_value.hpp>
#include <layerkey/layerkey.hpp>
#include <layerkey/values/aggregates.hpp>
#include <layerkey/values/optional.hpp>
#include <layerkey/values/sequences.hpp>
#include <layerkey/values/text.hpp>

#include <catch2/catch.hpp>

#include <string>
#include <string_view>
#include <utility>

namespace {

struct stage : layerkey::layer<> {};

template<class A, class B = bool>
struct two {
  A a{};
  B b{};
  using layerkey_fields = layerkey::fields<layerkey::field<&two::a, layerkey::affects<stage>>,
                                           layerkey::field<&two::b, layerkey::affects<stage>>>;
};

template<class A, class B>
bool same(two<A, B> const& x, two<A, B> const& y) {
  bool const equal = layerkey::same_key<stage>(x, y);
  CHECK((layerkey::make_key<stage>(x).hash() == layerkey::make_key<stage>(y).hash()) == equal);
  CHECK(layerkey::same_key<stage>(y, x) == equal);
  CHECK(layerkey::same_key<stage>(x, two<A, B>(x)));
  return equal;
}

using text = std::string;
using texts = std::vector<text>;

}  // namespace

TEST_CASE("strings do not run into each other") {
  using t = two<text, text>;
  CHECK_FALSE(same(t{"ab", "c"}, t{"a", "bc"}));
  CHECK_FALSE(same(t{"abc", ""}, t{"", "abc"}));
  CHECK_FALSE(same(t{"", ""}, t{"", text(1, '\0')}));
  CHECK(same(t{"ab", "c"}, t{"ab", "c"}));
}

TEST_CASE("a string that looks like a length and a string is not taken for them") {
  using t = two<text, text>;
  text const length_of_one("\1\0\0\0\0\0\0\0", 8);
  CHECK_FALSE(same(t{length_of_one + "a", ""}, t{"", length_of_one + "a"}));
  CHECK_FALSE(same(t{"x", "y"}, t{"x" + length_of_one + "y", ""}));
}

TEST_CASE("embedded and trailing zeros count") {
  using t = two<text>;
  CHECK_FALSE(same(t{text("a\0b", 3)}, t{text("a\0c", 3)}));
  CHECK_FALSE(same(t{text("a\0", 2)}, t{"a"}));
  CHECK_FALSE(same(t{text(8, '\0')}, t{text(9, '\0')}));
  CHECK(same(t{text("a\0b", 3)}, t{text("a\0b", 3)}));
}

TEST_CASE("long strings count to their last character") {
  using t = two<text>;
  for (std::size_t size : {15u, 16u, 17u, 1'000u, 1'000'000u}) {
    t const a{text(size, 'x')};
    t b = a;
    CHECK(same(a, b));
    b.a.back() = 'y';
    CHECK_FALSE(same(a, b));
    b = a;
    b.a.front() = 'y';
    CHECK_FALSE(same(a, b));
    b.a = a.a + 'x';
    CHECK_FALSE(same(a, b));
  }
}

TEST_CASE("vectors do not run into each other") {
  using t = two<texts, texts>;
  CHECK_FALSE(same(t{{"a"}, {}}, t{{}, {"a"}}));
  CHECK_FALSE(same(t{{"a", "b"}, {"c"}}, t{{"a"}, {"b", "c"}}));
  CHECK_FALSE(same(t{{""}, {}}, t{{}, {}}));
  CHECK_FALSE(same(t{{"", ""}, {}}, t{{""}, {}}));
  CHECK_FALSE(same(t{{"ab"}, {}}, t{{"a", "b"}, {}}));
  CHECK(same(t{{"a"}, {""}}, t{{"a"}, {""}}));
}

TEST_CASE("vectors of vectors keep their nesting") {
  using t = two<std::vector<std::vector<int>>>;
  CHECK_FALSE(same(t{{{1}, {2}}}, t{{{1, 2}}}));
  CHECK_FALSE(same(t{{{1, 2}, {}}}, t{{{1}, {2}}}));
  CHECK_FALSE(same(t{{{}, {}}}, t{{{}}}));
  CHECK_FALSE(same(t{{{}}}, t{{}}));
  CHECK(same(t{{{1}, {}}}, t{{{1}, {}}}));
}

TEST_CASE("an absent value is no empty one") {
  using t = two<std::optional<text>, std::optional<text>>;
  CHECK_FALSE(same(t{"", {}}, t{{}, {}}));
  CHECK_FALSE(same(t{"", {}}, t{{}, ""}));
  CHECK_FALSE(same(t{text(1, '\0'), {}}, t{"", {}}));
  CHECK(same(t{"a", {}}, t{"a", {}}));

  using twice = two<std::optional<std::optional<text>>>;
  std::optional<text> const none;
  CHECK_FALSE(same(twice{none}, twice{}));
  CHECK_FALSE(same(twice{none}, twice{""}));

  using list = two<std::vector<std::optional<int>>>;
  CHECK_FALSE(same(list{{std::nullopt, 0}}, list{{0, std::nullopt}}));
  CHECK_FALSE(same(list{{std::nullopt}}, list{{}}));
  CHECK_FALSE(same(list{{1, std::nullopt}}, list{{1}}));
}

TEST_CASE("a value that was there and went leaves nothing behind") {
  two<std::optional<int>, std::optional<text>> a;
  a.a = 7;
  a.b = "seven";
  a.a.reset();
  a.b.reset();
  CHECK(same(a, {}));

  two<text> b{"a long text that an assignment makes short"};
  b.a = "b";
  CHECK(same(b, {"b"}));

  two<layerkey::inline_text<40>> c{"a long text that an assignment makes sh"};
  c.a = "b";
  CHECK(same(c, {"b"}));
}

TEST_CASE("aggregates with texts keep their members apart") {
  struct named {
    text name;
    std::vector<int> numbers;
    int number = 0;
  };
  using t = two<named, std::vector<named>>;
  CHECK_FALSE(same(t{{"a", {1}, 2}, {}}, t{{"a", {}, 2}, {}}));
  CHECK_FALSE(same(t{{"a", {1}, 2}, {}}, t{{"a", {2}, 1}, {}}));
  CHECK_FALSE(same(t{{"a", {}, 1}, {{"b", {}, 1}}}, t{{"b", {}, 1}, {{"a", {}, 1}}}));
  CHECK(same(t{{"a", {1}, 2}, {{}}}, t{{"a", {1}, 2}, {{}}}));
}

TEST_CASE("vectors of truth values, of fixed texts and of arrays count each element") {
  using bits = two<std::vector<bool>>;
  CHECK_FALSE(same(bits{{true, false}}, bits{{false, true}}));
  CHECK_FALSE(same(bits{{true}}, bits{{true, false}}));
  CHECK(same(bits{{true, false}}, bits{{true, false}}));

  using names = two<std::vector<layerkey::inline_text<9>>>;
  CHECK_FALSE(same(names{{"12345678", "9"}}, names{{"123456789", ""}}));
  CHECK_FALSE(same(names{{""}}, names{{}}));

  using rows = two<std::vector<std::array<text, 2>>>;
  CHECK_FALSE(same(rows{{{"a", "b"}, {"", ""}}}, rows{{{"a", ""}, {"b", ""}}}));
}

TEST_CASE("a text is the same from any type that holds it") {
  text const owner = "abc";
  CHECK(layerkey::detail::whole_value<text>(owner).hash() ==
        layerkey::detail::whole_value<std::string_view>(owner).hash());
}

TEST_CASE("a key owns the text that a view names") {
  text buffer = "abc";
  two<std::string_view> const p{buffer};
  auto const before = layerkey::make_key<stage>(p);
  buffer = "abd";
  CHECK_FALSE(before == layerkey::make_key<stage>(p));
  buffer = "abc";
  CHECK(before == layerkey::make_key<stage>(p));
}

TEST_CASE("keys with tails can be copied, moved and swapped, with themselves too") {
  using t = two<text, int>;
  auto const first = layerkey::make_key<stage>(t{text(100, 'a'), 1});
  auto const second = layerkey::make_key<stage>(t{"b", 2});
  auto const empty = layerkey::make_key<stage>(t{"", 3});

  auto a = first;
  CHECK(a == first);
  auto& same_key = a;
  a = same_key;
  CHECK(a == first);
  a = std::move(same_key);
  CHECK(a == first);

  auto b = std::move(a);
  CHECK(b == first);
  a = second;  // what was moved from can be assigned to
  CHECK(a == second);
  std::swap(a, b);
  CHECK(a == first);
  CHECK(b == second);
  b = empty;
  CHECK(b == empty);
  CHECK(b.hash() == empty.hash());
  b = std::move(a);
  CHECK(b == first);
  CHECK(b.hash() == first.hash());

  std::vector keys(5, first);
  keys.erase(keys.begin() + 1);
  keys.insert(keys.begin(), keys[2]);
  keys.push_back(second);
  keys.erase(keys.begin(), keys.begin() + 4);
  CHECK(keys.size() == 2);
  CHECK(keys[0] == first);
  CHECK(keys[1] == second);
}
