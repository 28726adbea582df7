// The canonical forms of std::string and std::filesystem::path, which are no constants on clang.
#include <layerkey/canonical_forms.hpp>

#include <layerkey/member_table.hpp>
#include <layerkey/values/text.hpp>

#include <catch2/catch.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace {

using build_paths =
    layerkey::prefix_map<layerkey::prefix<"/home/me/src", "/src">,
                         layerkey::prefix<"/home/me", "~">, layerkey::prefix<"/tmp/build/", "">,
                         layerkey::prefix<"/mnt/", "/data/">>;

template<auto Form, class T>
T twice(T const& v) {
  T const once = Form(v);
  CHECK(Form(once) == once);
  return once;
}

std::string mapped(std::string const& v) {
  return twice<layerkey::mapped_path<std::string, build_paths>>(v);
}

struct stage : layerkey::layer<> {
  static constexpr layerkey::text name = "stage";
};

struct options {
  std::string features;
  using layerkey_fields = layerkey::fields<
      layerkey::field<&options::features, layerkey::affects<stage>,
                      layerkey::canonical<layerkey::last_feature_wins<std::string>>>>;
};

}  // namespace

TEST_CASE("a path below a mapped directory gets the other prefix") {
  CHECK(mapped("/home/me/src/a.c") == "/src/a.c");
  CHECK(mapped("/home/me/src") == "/src");
  CHECK(mapped("/home/me/notes") == "~/notes");
  CHECK(mapped("/tmp/build/x/y.o") == "x/y.o");
  CHECK(mapped("/tmp/build") == "");
  CHECK(mapped("/mnt/a") == "/data/a");
}

TEST_CASE("a path that no prefix fits stays") {
  CHECK(mapped("/home/me2/a.c") == "/home/me2/a.c");
  CHECK(mapped("/home/me/srcs/a.c") == "~/srcs/a.c");
  CHECK(mapped("/tmp/builds/a") == "/tmp/builds/a");
  CHECK(mapped("home/me/src") == "home/me/src");
  CHECK(mapped("") == "");
}

TEST_CASE("the root and relative directories can be mapped") {
  using to_root = layerkey::prefix_map<layerkey::prefix<"work", "/">>;
  CHECK(layerkey::mapped_path<std::string, to_root>("work/a") == "/a");
  CHECK(layerkey::mapped_path<std::string, to_root>("work") == "/");
  using from_root = layerkey::prefix_map<layerkey::prefix<"/", "root">>;
  CHECK(layerkey::mapped_path<std::string, from_root>("/a/b") == "root/a/b");
}

TEST_CASE("filesystem paths are mapped alike") {
  using std::filesystem::path;
  CHECK(twice<layerkey::mapped_path<path, build_paths>>(path("/home/me/src/a.c")) == "/src/a.c");
}

TEST_CASE("strings: the last mention of a feature wins") {
  CHECK(twice<layerkey::last_feature_wins<std::string>>(std::string("+avx2,-sse4a,+avx2")) ==
        "-sse4a,+avx2");
  CHECK(twice<layerkey::sorted_features<std::string>>(std::string("+b,-c,+a,-b")) == "+a,-b,-c");
  CHECK(twice<layerkey::sorted_unique<std::vector<std::string>>>(
            std::vector<std::string>{"b", "a", "b"}) == std::vector<std::string>{"a", "b"});
}

TEST_CASE("a form that is an instance of a template goes by the template's name") {
  CHECK(layerkey::tabulate<options, stage>().rows ==
        std::vector<std::vector<std::string>>{{"features", "last_feature_wins(key)", ""}});
}
