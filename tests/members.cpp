#include <layerkey/members.hpp>

#include "sample_params.hpp"

#include <catch2/catch.hpp>

#include <memory>

using namespace sample;

namespace {

template<class P, class Visit>
std::vector<std::string> collect(Visit visit) {
  std::vector<std::string> found;
  layerkey::for_each_member<P>([&]<class Member>(Member member) {
    if (auto const text = visit(member); !text.empty()) found.push_back(text);
  });
  return found;
}

struct guarded {
  int const fixed = 3;
  int hidden : 8 = 4;
  int both : 8 = 5;
  static int get_hidden(guarded const& p) { return p.hidden; }
  static int get_both(guarded const& p) { return p.both; }
  static void set_both(guarded& p, int v) { p.both = v & 127; }
  using layerkey_fields = layerkey::fields<
      layerkey::field<&guarded::fixed, layerkey::affects<front>>,
      layerkey::field<layerkey::accessor<guarded::get_hidden>, layerkey::affects<front>>,
      layerkey::field<layerkey::accessor<guarded::get_both, guarded::set_both>,
                      layerkey::affects<front>>>;
};

struct constant_inside {
  guarded const outer = {};
  using layerkey_fields =
      layerkey::fields<layerkey::field<&constant_inside::outer, layerkey::per_member>>;
};

}  // namespace

TEST_CASE("members come in the order of the list, per_member structs entered") {
  auto const paths = collect<params>([](auto member) { return member.path(); });
  REQUIRE(paths.size() == 26);
  CHECK(paths.front() == "inlining");
  CHECK(paths[16] == "grid");
  CHECK(paths[17] == "unroll.on");
  CHECK(paths[18] == "unroll.factor");
  CHECK(paths[19] == "unroll.pragma");
  CHECK(paths.back() == "log");
}

TEST_CASE("a member knows its name, its tags and its layers") {
  auto const of = [](bool (*asks)(std::string_view, bool, bool, bool, bool)) {
    return collect<params>([asks](auto member) {
      using info = decltype(member);
      return asks(info::name(), info::is_runtime_only, info::is_check_only,
                  info::template is_tagged_with<front>, info::template is_tagged_with<back>)
                 ? std::string(info::name())
                 : std::string();
    });
  };
  using names = std::vector<std::string>;
  CHECK(of([](std::string_view, bool runtime, bool, bool, bool) { return runtime; }) ==
        names{"log"});
  CHECK(of([](std::string_view, bool, bool check, bool, bool) { return check; }) ==
        names{"verify"});
  CHECK(of([](std::string_view, bool, bool, bool in_front, bool in_back) {
          return in_front && in_back;
        }) == names{"level"});
  CHECK(of([](std::string_view name, bool, bool, bool in_front, bool) {
          return in_front && name[0] == 'm';
        }) == names{"module"});
}

TEST_CASE("a member is read and written, inside structs too") {
  params p;
  layerkey::for_each_member<params>([&p]<class Member>(Member) {
    if constexpr (std::is_same_v<typename Member::type, std::uint32_t>) {
      CHECK(Member::get(p) == 4);
      Member::set(p, 9);
      CHECK(Member::get(p) == 9);
    }
    if constexpr (std::is_same_v<typename Member::type, double>) {
      Member::set(p, 2.5);
      CHECK(&Member::get(p) == &p.ratio);
    }
  });
  CHECK(p.unroll.factor == 9);
  CHECK(p.ratio == 2.5);
}

TEST_CASE("what is constant or has no function that sets cannot be set") {
  auto const settable = [](auto member) {
    return member.can_be_set ? member.path() : std::string();
  };
  CHECK(collect<guarded>(settable) == std::vector<std::string>{"get_both"});
  CHECK(collect<constant_inside>(settable).empty());

  guarded p;
  layerkey::for_each_member<guarded>([&p]<class Member>(Member) {
    if constexpr (Member::can_be_set) Member::set(p, Member::get(p) + 1);
  });
  CHECK(p.both == 6);
}
