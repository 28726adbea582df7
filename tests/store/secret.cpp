// Secrets of stores: where they come from, what is refused, what is derived.
#include <layerkey/store/secret.hpp>

#include "entries.hpp"

#include <catch2/catch.hpp>

#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <new>
#include <string>
#include <string_view>

using namespace layerkey;
using namespace store_test;

namespace {

// A file that goes with it.
class secret_on_disk {
 public:
  explicit secret_on_disk(std::string_view bytes, mode_t mode = 0600) {
    std::string name = (std::filesystem::temp_directory_path() / "layerkey_secret_XXXXXX").string();
    int const file = ::mkstemp(name.data());
    REQUIRE(file >= 0);
    path = name;
    REQUIRE(::write(file, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
    REQUIRE(::fchmod(file, mode) == 0);
    ::close(file);
  }
  secret_on_disk(secret_on_disk const&) = delete;
  secret_on_disk& operator=(secret_on_disk const&) = delete;
  ~secret_on_disk() { std::remove(path.c_str()); }

  std::string path;
};

bool has(std::string const& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

bool is(store_secret const& a, store_secret const& b) {
  return a.key_for("test") == b.key_for("test");
}

store_secret const from_text = store_secret::from_bytes(secret_text);

}  // namespace

TEST_CASE("secret: none") {
  store_secret const none;
  CHECK(!none.given());
  CHECK(none.problem() == "");
  CHECK(!none.key_for("test").given());
}

TEST_CASE("secret: bytes") {
  CHECK(from_text.given());
  CHECK(from_text.problem() == "");
  CHECK(is(from_text, store_secret::from_bytes(secret_text)));
  CHECK(!is(from_text, store_secret::from_bytes("a secret of twenty-six chaR")));
  CHECK(!is(from_text, store_secret::from_bytes("a secret of twenty-six chars")));
  CHECK(!is(from_text, store_secret()));
  CHECK(store_secret::from_bytes(std::string(16, '\0')).problem() == "");
  CHECK(store_secret::from_bytes(std::string(65'536, 'x')).problem() == "");
}

TEST_CASE("secret: one key for each use") {
  // Made by another program from the description of the entry format.
  CHECK(bytes_of(from_text.key_for("layerkey entry tag 1")) ==
        from_hex("9952d8241a58770bf32dc2f6a4a9208e4913a30239d7ab9f287e42d3e4aed620"));
  CHECK(from_text.key_for("a") == from_text.key_for("a"));
  CHECK(!(from_text.key_for("a") == from_text.key_for("b")));
  CHECK(!(from_text.key_for("") == from_text.key_for("a")));
  secret_key const copy = from_text.key_for("a");
  CHECK(copy.given());
  CHECK(copy == from_text.key_for("a"));
  CHECK(!(copy == secret_key()));
  CHECK(bytes_of(copy).find("a secret") == std::string_view::npos);
}

TEST_CASE("secret: too short or too long") {
  for (std::string const& bad :
       {std::string(), std::string(15, 'x'), std::string(65'537, 'x'), std::string(200'000, 'x')}) {
    CAPTURE(bad.size());
    store_secret const bytes = store_secret::from_bytes(bad);
    CHECK(bytes.given());
    CHECK(!bytes.key_for("test").given());
    CHECK(has(bytes.problem(), "head -c 32 /dev/urandom"));
    secret_on_disk const file(bad);
    store_secret const from_file = store_secret::from_file(file.path);
    CHECK(!from_file.key_for("test").given());
    CHECK(has(from_file.problem(), "store secret: " + file.path + " "));
    CHECK(has(from_file.problem(), "head -c 32 /dev/urandom"));
  }
  CHECK(store_secret::from_bytes("123456789012345").problem() ==
        "store secret: it has 15 bytes, a secret has at least 16; `head -c 32 /dev/urandom | "
        "base64` makes a good one");
  // The end of line is no part of it.
  secret_on_disk const file("123456789012345\n");
  CHECK(has(store_secret::from_file(file.path).problem(), "has 15 bytes"));
}

TEST_CASE("secret: files") {
  for (std::string_view const end : {"", "\n", "\r\n"}) {
    secret_on_disk const file(std::string(secret_text).append(end));
    CHECK(store_secret::from_file(file.path).problem() == "");
    CHECK(is(store_secret::from_file(file.path), from_text));
  }
  for (std::string_view const more : {"\n\n", " ", "\n ", "\r"}) {
    secret_on_disk const file(std::string(secret_text).append(more));
    CHECK(store_secret::from_file(file.path).problem() == "");
    CHECK(is(store_secret::from_file(file.path), from_text) == (more == "\r"));
  }
  secret_on_disk const longest(std::string(65'536, 'x') + "\r\n");
  CHECK(is(store_secret::from_file(longest.path),
           store_secret::from_bytes(std::string(65'536, 'x'))));
}

TEST_CASE("secret: files that others may read are refused unless asked") {
  for (mode_t const mode : {0640u, 0604u, 0620u, 0602u, 0666u, 0644u}) {
    secret_on_disk const file(secret_text, mode);
    CAPTURE(mode);
    store_secret const refused = store_secret::from_file(file.path);
    CHECK(!refused.key_for("test").given());
    CHECK(refused.given());
    CHECK(has(refused.problem(), "`chmod 600 " + file.path + "`"));
    CHECK(is(store_secret::from_file(file.path, secret_file::readable_by_others), from_text));
  }
  for (mode_t const mode : {0600u, 0400u}) {
    secret_on_disk const file(secret_text, mode);
    CHECK(is(store_secret::from_file(file.path), from_text));
  }
}

TEST_CASE("secret: files of other users are refused unless asked") {
  if (::geteuid() != 0) return;  // who may not give files away cannot have one
  secret_on_disk const file(secret_text);
  REQUIRE(::chown(file.path.c_str(), 12'345, 12'345) == 0);
  CHECK(has(store_secret::from_file(file.path).problem(), "belongs to another user"));
  CHECK(is(store_secret::from_file(file.path, secret_file::readable_by_others), from_text));
}

TEST_CASE("secret: files that are none") {
  std::string const folder = std::filesystem::temp_directory_path().string();
  secret_on_disk const file(secret_text);
  for (std::string const& path : {folder, folder + "/layerkey_no_such_file", std::string(),
                                  file.path + std::string("\0b", 2), file.path + "/b"}) {
    store_secret const none = store_secret::from_file(path, secret_file::readable_by_others);
    CHECK(none.given());
    CHECK(!none.key_for("test").given());
    CHECK(has(none.problem(), "store secret: "));
    CHECK(has(none.problem(), "cannot be read: "));
    CHECK(has(none.problem(), "Make it, or give the right path"));
  }
}

TEST_CASE("secret: a pipe") {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  REQUIRE(::write(ends[1], secret_text.data(), secret_text.size()) ==
          static_cast<ssize_t>(secret_text.size()));
  ::close(ends[1]);
  store_secret const piped = store_secret::from_file("/dev/fd/" + std::to_string(ends[0]));
  ::close(ends[0]);
  CHECK(piped.problem() == "");
  CHECK(is(piped, from_text));
}

TEST_CASE("secret: environment variables") {
  char const* const name = "LAYERKEY_TEST_SECRET";
  ::unsetenv(name);
  store_secret const unset = store_secret::from_environment(name);
  CHECK(unset.given());
  CHECK(unset.problem() ==
        "store secret: environment variable LAYERKEY_TEST_SECRET is not set. Set it, or take the "
        "secret from a file");
  ::setenv(name, "", 1);
  CHECK(has(store_secret::from_environment(name).problem(), "LAYERKEY_TEST_SECRET is empty"));
  ::setenv(name, "short", 1);
  CHECK(has(store_secret::from_environment(name).problem(), "LAYERKEY_TEST_SECRET has 5 bytes"));
  ::setenv(name, std::string(secret_text).c_str(), 1);
  CHECK(store_secret::from_environment(name).problem() == "");
  CHECK(is(store_secret::from_environment(name), from_text));
  ::unsetenv(name);
}

TEST_CASE("secret: no sentence says the secret") {
  secret_on_disk const file(secret_text, 0644);
  CHECK(!has(store_secret::from_file(file.path).problem(), secret_text));
  CHECK(!has(store_secret::from_bytes("fifteen letters").problem(), "fifteen"));
}

TEST_CASE("secret: keys are wiped where they end") {
  alignas(secret_key) unsigned char place[sizeof(secret_key)] = {};
  auto* const made = ::new (static_cast<void*>(place)) secret_key(from_text.key_for("test"));
  std::string const key(bytes_of(*made));
  auto const volatile* const seen = place;
  auto const is_there = [&] {
    bool there = true;
    for (std::size_t i = 0; i != key.size(); ++i)
      there = there && seen[i] == static_cast<unsigned char>(key[i]);
    return there;
  };
  CHECK(is_there());
  made->~secret_key();
  CHECK(!is_there());
}
