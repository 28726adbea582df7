// Files by content with LLVM's BLAKE3.
#include "support.hpp"

#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>
#include <layerkey/llvm/input_file.hpp>

using namespace llvm_tests;

namespace {

struct options {
  input_file profile;

  using layerkey_fields =
      fields<field<&options::profile, affects_codegen::as<content_of>, affects_irgen::as<path_of>>>;
};

}  // namespace

TEST_CASE("input_file: a file is keyed by the BLAKE3 digest of its bytes") {
  folder f;
  std::string large(300'000, 'x');
  options const a{*read_input_file(f.write("a", large))};
  options const b{*read_input_file(f.write("b", large))};
  large[150'000] = 'y';
  options const c{*read_input_file(f.write("a", large))};
  CHECK(a.profile.digest() == digest_of(a.profile.bytes()));
  CHECK(a.profile.digest().algorithm == digest_algorithm::blake3);
  CHECK(a.profile.bytes().size() == large.size());
  CHECK(make_own_key<codegen>(a) == make_own_key<codegen>(b));
  CHECK_FALSE(make_own_key<codegen>(a) == make_own_key<codegen>(c));
  CHECK(make_own_key<irgen>(a) == make_own_key<irgen>(c));
  CHECK_FALSE(make_own_key<irgen>(a) == make_own_key<irgen>(b));
  CHECK(input_file_from_memory(large, c.profile.path().text().data()) == c.profile);
  CHECK_FALSE(read_input_file(f.file("missing")));
}
