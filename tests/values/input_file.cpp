// Files in keys by content and by path: read once, so that the bytes that are hashed are the bytes
// that a stage is given.
#include "bytes.hpp"

#include <layerkey/compiler_layers.hpp>
#include <layerkey/explain.hpp>
#include <layerkey/layerkey.hpp>
#include <layerkey/testing.hpp>
#include <layerkey/to_text.hpp>
#include <layerkey/values/input_file.hpp>
#include <layerkey/values/input_files.hpp>

#include <catch2/catch.hpp>

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace input_files {

using namespace layerkey;
namespace fs = std::filesystem;

// ---- a digest for short content ----------------------------------------------------------------

constexpr auto exact_algorithm = digest_algorithm{200};
int digests_made = 0;

// The content itself, so that no two have one; of what is longer nothing but the length.
content_digest exact(std::string_view bytes) {
  ++digests_made;
  content_digest d{exact_algorithm, {}, bytes.size()};
  if (bytes.size() <= sizeof d.bytes) std::copy(bytes.begin(), bytes.end(), d.bytes);
  return d;
}

input_file of(std::string bytes, std::string path = "in") {
  return *input_file::from_memory<exact>(std::move(bytes), std::move(path));
}

// ---- files -------------------------------------------------------------------------------------

class directory {
 public:
  directory() : path_(fs::temp_directory_path() / ("layerkey." + std::to_string(::getpid()))) {
    fs::remove_all(path_);
    fs::create_directories(path_);
  }
  ~directory() { fs::remove_all(path_); }
  directory(directory const&) = delete;

  std::string at(std::string const& name) const { return (path_ / name).string(); }
  std::string write(std::string const& name, std::string_view bytes) const {
    std::ofstream(at(name), std::ios::binary) << bytes;
    return at(name);
  }

 private:
  fs::path path_;
};

// ---- params ------------------------------------------------------------------------------------

struct options {
  input_file profile = {};
  int level = 2;

  using layerkey_fields =
      fields<field<&options::profile, affects_codegen::as<content_of>, affects_irgen::as<path_of>,
                   affects_inference::as<content_and_path_of>>,
             field<&options::level, affects_codegen>>;
};
static_assert(complete<options>);

// The own keys: the layers of the compiler build on each other.
template<class Layer, class P>
bool same(P const& a, P const& b) {
  bool const equal = make_own_key<Layer>(a) == make_own_key<Layer>(b);
  CHECK((make_own_key<Layer>(a).hash() == make_own_key<Layer>(b).hash()) == equal);
  CHECK(explain_own<Layer>(a, b).empty() == equal);
  return equal;
}

// No owner is counted where a layer reads the file: it is read where it lies.
static_assert(
    std::is_same_v<decltype(std::declval<view<codegen, options>>().get<&options::profile>()),
                   file_content const&>);

// A default is no file, and a constant.
static_assert(!input_file().content().is_there());
static_assert(input_file() == input_file());
static_assert(make_own_key<codegen>(options{}) == make_own_key<codegen>(options{}));
static_assert(!(make_own_key<codegen>(options{.level = 1}) == make_own_key<codegen>(options{})));

TEST_CASE("input_file: one content under two paths has one key by content") {
  directory const dir;
  options const a{*input_file::read<exact>(dir.write("a", "same"))};
  options const b{*input_file::read<exact>(dir.write("b", "same"))};
  CHECK(same<codegen>(a, b));
  CHECK_FALSE(same<irgen>(a, b));
  CHECK_FALSE(same<inference>(a, b));
  CHECK_FALSE(a.profile == b.profile);
  CHECK(a.profile.content() == b.profile.content());
}

TEST_CASE("input_file: other content under one path has another key by content") {
  options const a{of("one", "path")};
  options const b{of("two", "path")};
  CHECK_FALSE(same<codegen>(a, b));
  CHECK(same<irgen>(a, b));
  CHECK_FALSE(same<inference>(a, b));
  CHECK(same<inference>(a, options{of("one", "path")}));
}

TEST_CASE("input_file: two spellings of a path differ") {
  CHECK_FALSE(same<irgen>(options{of("x", "a/b")}, options{of("x", "a/./b")}));
  CHECK_FALSE(same<irgen>(options{of("x", "")}, options{of("x", std::string(1, '\0'))}));
}

TEST_CASE("input_file: a file that changes after it was read changes neither bytes nor key") {
  directory const dir;
  auto const path = dir.write("profile", "before");
  options const p{*input_file::read<exact>(path)};
  auto const before = make_key<codegen>(p);

  dir.write("profile", "after");
  CHECK(p.profile.bytes() == "before");
  CHECK(view<codegen, options>(p).get<&options::profile>().bytes() == "before");
  CHECK(make_key<codegen>(p) == before);
  CHECK(view<codegen, options>(p).get<&options::profile>().digest() == exact("before"));

  options const again{*input_file::read<exact>(path)};
  CHECK(again.profile.bytes() == "after");
  CHECK_FALSE(make_key<codegen>(again) == before);
}

TEST_CASE("input_file: is read once, so that the file may be gone") {
  directory const dir;
  auto const path = dir.write("profile", "bytes");
  options const p{*input_file::read<exact>(path)};
  fs::remove(path);
  CHECK(same<codegen>(p, options{of("bytes")}));
  options const copy = p;
  CHECK(copy.profile.bytes() == "bytes");
  CHECK(copy.profile.path().text() == path);
}

TEST_CASE("input_file: a pipe, whose bytes come once, is read as a file is") {
  directory const dir;
  auto const path = dir.at("pipe");
  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  std::string const sent = std::string(200'000, 'x') + "end";
  std::thread writer([&] { std::ofstream(path, std::ios::binary) << sent; });
  digests_made = 0;
  auto const read = input_file::read<exact>(path);
  writer.join();
  REQUIRE(read);
  options const p{*read};
  auto const key = make_key<codegen>(p);
  CHECK(key == make_key<codegen>(p));
  CHECK(view<codegen, options>(p).get<&options::profile>().bytes() == sent);
  CHECK(digests_made == 1);
}

TEST_CASE("input_file: no file is no empty file") {
  directory const dir;
  options const none;
  options const empty{*input_file::read<exact>(dir.write("empty", ""))};
  CHECK_FALSE(same<codegen>(none, empty));
  CHECK_FALSE(same<codegen>(empty, options{of(std::string(1, '\0'))}));
  CHECK(same<codegen>(empty, options{of("")}));
  CHECK(empty.profile.content().is_there());
  CHECK(empty.profile.bytes().empty());
  CHECK_FALSE(none.profile.content().is_there());
  CHECK(none.profile.bytes().empty());
  CHECK(none.profile.path().text().empty());
  CHECK_FALSE(none.profile == empty.profile);
}

TEST_CASE("input_file: zeros and all other bytes count") {
  directory const dir;
  std::string const bytes("\0a\0\r\n\xff\x1a\0", 8);
  auto const read = input_file::read<exact>(dir.write("binary", bytes));
  REQUIRE(read);
  CHECK(read->bytes() == bytes);
  CHECK_FALSE(same<codegen>(options{of(bytes)}, options{of(bytes.substr(0, 7))}));
  CHECK_FALSE(same<codegen>(options{of(bytes)}, options{of(bytes + '\0')}));
  CHECK(same<codegen>(options{*read}, options{of(bytes)}));
}

TEST_CASE("input_file: files of every size around that of a piece are read whole") {
  directory const dir;
  for (std::size_t const size : {65'535u, 65'536u, 65'537u, 1'000'000u}) {
    std::string bytes(size, '\0');
    for (std::size_t i = 0; i != size; ++i) bytes[i] = static_cast<char>(i * 31 >> 3 & 0xff);
    auto const read = input_file::read<exact>(dir.write("large", bytes));
    REQUIRE(read);
    CHECK(read->bytes() == bytes);
    CHECK(read->digest().size == size);
  }
}

TEST_CASE("input_file: what cannot be read is an error that says why") {
  directory const dir;
  auto const missing = input_file::read<exact>(dir.at("missing"));
  CHECK_FALSE(missing);
  CHECK(missing.error() == dir.at("missing") + ": no such file");
  CHECK(missing.code() == std::errc::no_such_file_or_directory);

  auto const folder = input_file::read<exact>(dir.at(""));
  CHECK_FALSE(folder.has_value());
  CHECK(folder.error() == dir.at("") + ": is a directory");
  CHECK(folder.code() == std::errc::is_a_directory);

  auto const behind_file = input_file::read<exact>(dir.write("file", "x") + "/inside");
  CHECK(behind_file.code() == std::errc::not_a_directory);
  CHECK(behind_file.error().starts_with(dir.at("file/inside") + ": cannot be read: "));

  fs::create_symlink(dir.at("loop"), dir.at("loop"));
  CHECK(input_file::read<exact>(dir.at("loop")).code() == std::errc::too_many_symbolic_link_levels);

  fs::permissions(dir.write("locked", "x"), fs::perms::none);
  auto const locked = input_file::read<exact>(dir.at("locked"));
  if (::geteuid() == 0)
    CHECK(locked->bytes() == "x");  // nothing is locked for root
  else
    CHECK(locked.code() == std::errc::permission_denied);

  // Not the file that the path names up to its zero.
  auto const zero = input_file::read<exact>(dir.at("file") + std::string("\0.old", 5));
  CHECK(zero.code() == std::errc::invalid_argument);
  CHECK(input_file::read<exact>("").code() == std::errc::no_such_file_or_directory);
}

content_digest none_at_all(std::string_view) { return {}; }
content_digest of_wrong_length(std::string_view) { return {exact_algorithm, {}, 7}; }

TEST_CASE("input_file: a digest that would be that of no file is refused, its length is checked") {
  auto const refused = input_file::from_memory<none_at_all>("x", "p");
  CHECK_FALSE(refused);
  CHECK(refused.error() == "p: its digest names no algorithm");
  CHECK(input_file::from_memory<of_wrong_length>("x", "p")->digest().size == 1);
}

TEST_CASE("input_file: digests of two algorithms are never the same") {
  auto const other = [](digest_algorithm algorithm) {
    content_digest d = exact("x");
    d.algorithm = algorithm;
    return d;
  };
  CHECK(other(digest_algorithm::blake3) != exact("x"));
  CHECK(other(digest_algorithm::sha_256) != other(digest_algorithm::blake3));
}

TEST_CASE("input_file: copies share the bytes, and each keeps them") {
  auto first = of("shared");
  auto const* const at = first.bytes().data();
  auto second = first;
  file_content seen = content_of(second);
  CHECK(second.bytes().data() == at);
  CHECK(seen.bytes().data() == at);
  auto& itself = first;
  first = itself;
  CHECK(first.bytes() == "shared");
  auto moved = std::move(first);
  first = second;
  second = {};
  moved = {};
  first = {};
  CHECK(seen.bytes() == "shared");
  CHECK(seen.bytes().data() == at);
}

TEST_CASE("input_file: copies may come and go on many threads") {
  options const p{of("shared", "path")};
  std::vector<std::thread> threads;
  std::vector<int> good(4);
  for (auto& each : good)
    threads.emplace_back([&p, &each] {
      for (int i = 0; i != 2'000; ++i) {
        auto const copy = p;
        each += view<codegen, options>(copy).get<&options::profile>().bytes() == "shared";
      }
    });
  for (auto& each : threads) each.join();
  CHECK(good == std::vector(4, 2'000));
  CHECK(p.profile.bytes() == "shared");
}

TEST_CASE("input_file: a key of it is read back, printed and explained") {
  options const p{of("abc", "dir/a.prof")};
  CHECK(to_text(make_own_key<codegen>(p)) ==
        "profile = 200:616263000000... (3 bytes)\nlevel = 2\n");
  CHECK(to_text(make_own_key<irgen>(p)) == "profile = \"dir/a.prof\"\n");
  CHECK(to_text(make_own_key<inference>(p)) ==
        "profile = {200:616263000000... (3 bytes), \"dir/a.prof\"}\n");
  auto const found = explain_own<irgen>(p, options{});
  REQUIRE(found.size() == 1);
  CHECK(found[0].before == "\"dir/a.prof\"");
  CHECK(found[0].after == "\"\"");
  CHECK(explain_own<codegen>(options{}, p)[0].before == "none");
}

TEST_CASE("input_file: the encoding has the digest and the path, the schema their kinds") {
  options const p{of("abc", "p")};
  CHECK(bytes::of_value(content_of(p.profile)) == "61 62 63" + [] {
    std::string zeros;
    for (int i = 0; i != 29; ++i) zeros += " 00";
    return zeros;
  }() + " 03 00 00 00 00 00 00 00 c8");
  CHECK(bytes::of_value(path_of(p.profile)) == "01 00 00 00 00 00 00 00 70");
  CHECK(bytes::of_value(content_and_path_of(p.profile)) ==
        bytes::of_value(content_of(p.profile)) + " " + bytes::of_value(path_of(p.profile)));
  CHECK(bytes::of(make_key<codegen>(p)) == bytes::of<codegen>(p));
  CHECK(schema_text<codegen, options>() ==
        "layerkey-schema/1;layer=7:codegen;profile:12:file_content,as=content_of;level:i32;");
  CHECK(schema_text<irgen, options>() ==
        "layerkey-schema/1;layer=5:irgen;profile:4:path(text),as=path_of;");
}

// ---- narrowed, conditions ----------------------------------------------------------------------

struct conditional {
  bool use_profile = false;
  input_file profile;

  using layerkey_fields =
      fields<field<&conditional::use_profile, affects_codegen, affects_irgen, affects_inference>,
             field<&conditional::profile,
                   affects_codegen::as<content_of>::represented_by<input_file::with_content>,
                   affects_irgen::as<path_of>::represented_by<input_file::with_path>,
                   affects_inference::as<content_and_path_of>::represented_by<
                       input_file::with_content_and_path>,
                   only_if<&conditional::use_profile>>>;
};

TEST_CASE("input_file: counts only while its condition holds") {
  conditional const off{false, of("x")};
  CHECK(same<codegen>(off, conditional{}));
  CHECK_FALSE(view<codegen, conditional>(off).get<&conditional::profile>().is_there());
  CHECK_FALSE(same<codegen>(conditional{true, of("x")}, conditional{true, of("y")}));
}

TEST_CASE("input_file: narrowed params hold what the layer reads of it, and no more") {
  conditional const p{true, of("content", "path")};
  narrowed<codegen, conditional> const by_content(p);
  CHECK(by_content->profile.bytes() == "content");
  CHECK(by_content->profile.path().text().empty());
  narrowed<irgen, conditional> const by_path(p);
  CHECK_FALSE(by_path->profile.content().is_there());
  CHECK(by_path->profile.path().text() == "path");
  narrowed<inference, conditional> const by_both(p);
  CHECK(by_both->profile == p.profile);
}

// ---- lists and optional files ------------------------------------------------------------------

struct several {
  std::vector<input_file> headers = {};
  std::optional<input_file> script = {};

  using layerkey_fields =
      fields<field<&several::headers, affects_codegen::as<contents_of>, affects_irgen::as<paths_of>,
                   affects_inference::as<contents_and_paths_of>>,
             field<&several::script, affects_codegen::as<optional_content_of>,
                   affects_irgen::as<optional_path_of>,
                   affects_inference::as<optional_content_and_path_of>>>;
};
static_assert(complete<several>);

TEST_CASE("input_file: in lists, by content and by path, in order") {
  several const a{{of("x", "1"), of("y", "2")}};
  several const renamed{{of("x", "3"), of("y", "4")}};
  several const swapped{{of("y", "1"), of("x", "2")}};
  CHECK(same<codegen>(a, renamed));
  CHECK_FALSE(same<irgen>(a, renamed));
  CHECK_FALSE(same<codegen>(a, swapped));
  CHECK(same<irgen>(a, swapped));
  CHECK_FALSE(same<inference>(a, swapped));
  CHECK_FALSE(same<codegen>(several{{of("")}}, several{}));
  CHECK_FALSE(same<codegen>(several{{input_file()}}, several{}));
  CHECK_FALSE(same<codegen>(several{{of("xy")}}, a));
  auto const seen = view<codegen, several>(a).get<&several::headers>();
  REQUIRE(seen.size() == 2);
  CHECK(seen[1].bytes() == "y");
  CHECK(to_text(make_own_key<irgen>(a)) == "headers = {\"1\", \"2\"}\nscript = none\n");
  CHECK(bytes::of(make_key<codegen>(a)) == bytes::of<codegen>(a));
}

TEST_CASE("input_file: where it may be absent, that is neither no content nor an empty one") {
  several const absent;
  several const none{{}, input_file()};
  several const empty{{}, of("")};
  CHECK_FALSE(same<codegen>(absent, none));
  CHECK_FALSE(same<codegen>(none, empty));
  CHECK_FALSE(same<codegen>(absent, empty));
  CHECK_FALSE(same<irgen>(absent, none));
  CHECK(same<codegen>(empty, several{{}, of("", "elsewhere")}));
  CHECK(view<codegen, several>(empty).get<&several::script>()->bytes().empty());
  CHECK(bytes::of(make_key<codegen>(empty)) == bytes::of<codegen>(empty));
}

TEST_CASE("input_file: keeps all that is promised of params") {
  auto const params = testing::verify<options, codegen>(
      {options{}, options{of("x", "1")}, options{of("y", "1")}, options{of("x", "2")}});
  CAPTURE(params.to_text());
  CHECK(params.ok());
  auto const narrowable = testing::verify<conditional, codegen>(
      {conditional{}, conditional{true, of("x", "1")}, conditional{true, of("", "1")},
       conditional{true, of("x", "2")}});
  CAPTURE(narrowable.to_text());
  CHECK(narrowable.ok());
  CHECK(narrowable.unchecked().empty());
  auto const lists = testing::verify<several, codegen>(
      {several{}, several{{of("x")}, of("y")}, several{{of("x"), of("")}, of("", "2")}});
  CAPTURE(lists.to_text());
  CHECK(lists.ok());
}

}  // namespace input_files
