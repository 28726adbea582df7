// Structs inside structs, held by optionals and variants and refined from outside: explained,
// tabulated, listed, set, checked for invariants, and keyed exactly.
#include <layerkey/explain.hpp>
#include <layerkey/invariant.hpp>
#include <layerkey/layerkey.hpp>
#include <layerkey/member_table.hpp>
#include <layerkey/members.hpp>
#include <layerkey/values/optional.hpp>
#include <layerkey/values/sequences.hpp>
#include <layerkey/values/text.hpp>
#include <layerkey/values/variant.hpp>

#include "key_properties.hpp"
#include "vary.hpp"

#include <catch2/catch.hpp>

namespace nested {

using layerkey::affects, layerkey::field, layerkey::fields, layerkey::only_if, layerkey::path,
    layerkey::per_member, layerkey::refine;

struct irgen : layerkey::layer<> {
  static constexpr layerkey::text name = "irgen";
};
struct codegen : layerkey::layer<irgen> {
  static constexpr layerkey::text name = "codegen";
};

constexpr bool positive(int v) { return v > 0; }

struct x86 {
  std::string cpu = "x86-64";
  int level = 2;
  unsigned align : 4 = 1;

  unsigned get_align() const { return align; }
  void set_align(unsigned v) { align = v & 15u; }

  using layerkey_fields = fields<field<&x86::cpu, affects<codegen>>,
                                 field<&x86::level, affects<irgen>, affects<codegen>>,
                                 field<layerkey::accessor<&x86::get_align, &x86::set_align>,
                                       affects<codegen>, only_if<&x86::level>>>;
  static x86 layerkey_defaults() { return {}; }
};

struct ptx {
  int sm = 90;
  int max_threads = 256;
  std::vector<std::string> libraries = {"libdevice"};

  using layerkey_fields =
      fields<field<&ptx::sm, affects<codegen>>, field<&ptx::max_threads, affects<codegen>>,
             field<&ptx::libraries, affects<codegen>>>;
  using layerkey_invariants =
      layerkey::invariants<layerkey::invariant<"sm is positive", positive, &ptx::sm>>;
  static ptx layerkey_defaults() { return {}; }
};

inline std::vector<std::string> sorted(std::vector<std::string> v) {
  std::sort(v.begin(), v.end());
  return v;
}

struct config {
  bool kernel = true;
  std::variant<std::monostate, x86, ptx> target;
  std::optional<x86> host;
  ptx device;

  using layerkey_fields =
      fields<field<&config::kernel, affects<codegen>>, field<&config::target, per_member>,
             field<&config::host, per_member>, field<&config::device, per_member>,
             refine<path<&config::target, &ptx::max_threads>, only_if<&config::kernel>>,
             refine<path<&config::device, &ptx::libraries>, layerkey::canonical<sorted>,
                    only_if<&config::kernel, path<&config::device, &ptx::max_threads>{}>>>;
  static config layerkey_defaults() { return {}; }
};
static_assert(layerkey::complete<config>);

struct two {
  std::optional<x86> first;
  std::optional<x86> second;
  using layerkey_fields = fields<field<&two::first, per_member>, field<&two::second, per_member>>;
};

template<class Change>
std::vector<layerkey::difference> explained(config const& base, Change change) {
  config after = base;
  change(after);
  auto const found = layerkey::explain<codegen>(base, after);
  CHECK(found.empty() == layerkey::same_key<codegen>(base, after));
  CHECK((layerkey::make_key<codegen>(base).hash() == layerkey::make_key<codegen>(after).hash()) ==
        found.empty());
  return found;
}

using differences = std::vector<layerkey::difference>;

config with_gpu() {
  config p;
  p.target = ptx{};
  return p;
}

}  // namespace nested

using namespace nested;

TEST_CASE("an optional or a variant that holds another struct is one difference") {
  CHECK(explained({}, [](config& p) { p.host = x86{}; }) ==
        differences{{"host", "irgen", "none", "present"}});
  CHECK(explained({}, [](config& p) { p.target = ptx{}; }) ==
        differences{{"target", "irgen", "#0", "#2"}});
}

TEST_CASE("members inside are explained where both hold the struct") {
  config base;
  base.host = x86{};
  CHECK(explained(base, [](config& p) { p.host->cpu = "znver4"; }) ==
        differences{{"host.cpu", "codegen", "\"x86-64\"", "\"znver4\""}});
  CHECK(explained(base, [](config& p) { p.host->set_align(3); }) ==
        differences{{"host.get_align", "codegen", "1", "3"}});
  base.host->level = 0;
  CHECK(explained(base, [](config& p) { p.host->set_align(3); }).empty());
  CHECK(explained(with_gpu(), [](config& p) { std::get<ptx>(p.target).sm = 80; }) ==
        differences{{"target.sm", "codegen", "90", "80"}});
}

TEST_CASE("a refined member counts while the conditions from outside hold") {
  auto const fewer_threads = [](config& p) { std::get<ptx>(p.target).max_threads = 32; };
  config base = with_gpu();
  CHECK(explained(base, fewer_threads) ==
        differences{{"target.max_threads", "codegen", "256", "32"}});
  base.kernel = false;
  CHECK(explained(base, fewer_threads).empty());

  auto const other_order = [](config& p) { p.device.libraries = {"b", "a"}; };
  base.device.libraries = {"a", "b"};
  CHECK(explained(base, other_order).empty());
  base.kernel = true;
  CHECK(explained(base, other_order).empty());
  CHECK(explained(base, [](config& p) { p.device.libraries = {}; }) ==
        differences{{"device.libraries", "codegen", "{\"a\", \"b\"}", "{}"}});
  base.device.max_threads = 0;
  CHECK(explained(base, [](config& p) { p.device.libraries = {}; }).empty());
}

TEST_CASE("values of variable size behind absent structs do not run into each other") {
  x86 named;
  named.cpu = "a";
  CHECK_FALSE(layerkey::same_key<codegen>(two{named, {}}, two{{}, named}));
  CHECK_FALSE(layerkey::same_key<codegen>(two{named, x86{}}, two{x86{}, named}));
  CHECK(layerkey::same_key<codegen>(two{named, {}}, two{named, {}}));
}

TEST_CASE("the table shows what holds structs, and what is added from outside") {
  CHECK(layerkey::tabulate<config, irgen, codegen>().to_text() ==
        "member              irgen  codegen\n"
        "kernel              -      key\n"
        "target              key    key\n"
        "target.cpu          -      key\n"
        "target.level        key    key\n"
        "target.get_align    -      key          only if level\n"
        "target.sm           -      key\n"
        "target.max_threads  -      key          only if outer kernel\n"
        "target.libraries    -      key\n"
        "host                key    key\n"
        "host.cpu            -      key\n"
        "host.level          key    key\n"
        "host.get_align      -      key          only if level\n"
        "device.sm           -      key\n"
        "device.max_threads  -      key\n"
        "device.libraries    -      sorted(key)  "
        "only if outer kernel, outer device.max_threads\n");
}

TEST_CASE("members in optionals and variants are listed, read as pointers and set") {
  std::vector<std::string> paths;
  config p;
  layerkey::for_each_member<config>([&]<class Member>(Member member) {
    paths.push_back(Member::path());
    if constexpr (Member::is_state) {
      CHECK(Member::is_there(p));
      CHECK(Member::template is_tagged_with<irgen>);
      CHECK_FALSE(member.can_be_set);
    } else if constexpr (Member::is_held) {
      CHECK_FALSE(Member::get(p));
      CHECK_FALSE(Member::is_there(p));
    } else
      CHECK(Member::is_there(p));
  });
  CHECK(paths == std::vector<std::string>{"kernel", "target", "target.cpu", "target.level",
                                          "target.get_align", "target.sm", "target.max_threads",
                                          "target.libraries", "host", "host.cpu", "host.level",
                                          "host.get_align", "device.sm", "device.max_threads",
                                          "device.libraries"});

  layerkey::for_each_member<config>([&p]<class Member>(Member) {
    if constexpr (!Member::is_state)
      if (Member::path() == "host.level" || Member::path() == "target.sm")
        if constexpr (std::is_same_v<typename Member::type, int>) Member::set(p, 7);
  });
  REQUIRE(p.host);
  CHECK(p.host->level == 7);
  CHECK(p.host->cpu == "x86-64");
  REQUIRE(std::holds_alternative<ptx>(p.target));
  CHECK(std::get<ptx>(p.target).sm == 7);
  CHECK(std::get<ptx>(p.target).max_threads == 256);
}

TEST_CASE("invariants of structs inside are checked where those are held") {
  config p;
  CHECK(layerkey::broken_invariant(p).empty());
  p.target = ptx{.sm = 0};
  CHECK(layerkey::broken_invariant(p) == "sm is positive");
  CHECK(layerkey::broken_invariants(p) ==
        std::vector<layerkey::violation>{{"target", "sm is positive"}});
}

TEST_CASE("keys of random nested params are equal exactly when the view is the same") {
  vary::engine random(7);
  auto const any = [&random] {
    config p;
    p.kernel = vary::below(random, 2) != 0;
    auto const any_ptx = [&random] {
      ptx t;
      t.sm = 80 + vary::below(random, 2);
      t.max_threads = vary::below(random, 2);
      t.libraries = vary::random_value<std::vector<std::string>>::get(random);
      return t;
    };
    auto const any_x86 = [&random] {
      x86 t;
      t.cpu = vary::random_value<std::string>::get(random);
      t.level = vary::below(random, 2);
      t.set_align(static_cast<unsigned>(vary::below(random, 2)));
      return t;
    };
    if (vary::below(random, 2)) p.host = any_x86();
    switch (vary::below(random, 3)) {
      case 0:
        p.target = any_x86();
        break;
      case 1:
        p.target = any_ptx();
        break;
      default:
        break;
    }
    p.device = vary::below(random, 2) ? any_ptx() : ptx{};
    return p;
  };
  int equal = 0;
  for (int i = 0; i != 4000; ++i) {
    config const a = any();
    config const b = any();
    bool const same = vary::view_is_same<codegen>(a, b);
    equal += same;
    CHECK((layerkey::make_own_key<codegen>(a) == layerkey::make_own_key<codegen>(b)) == same);
    CHECK(layerkey::explain_own<codegen>(a, b).empty() == same);
    layerkey::narrowed<codegen, config> const narrow(a);
    CHECK(layerkey::make_own_key<codegen>(*narrow) == layerkey::make_own_key<codegen>(a));
  }
  CHECK(equal > 5);
}
