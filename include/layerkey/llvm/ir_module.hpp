// LLVM IR as an input of a compile and as an artifact of the optimiser: canonical bytes and their
// digest.
#pragma once

#include <layerkey/cache/outcome.hpp>
#include <layerkey/content_digest.hpp>
#include <layerkey/value.hpp>

#include <memory>
#include <string>
#include <string_view>

namespace layerkey {

// A module of LLVM 19 IR: bitcode as it was given, or text serialised once, use-list order
// included, because that order changes the objects that LLVM makes of equal IR. These bytes are
// hashed with BLAKE3 and are what every stage compiles. Copies share the bytes. Equality is
// equality of digests.
class ir_module {
 public:
  // Reads a .ll or .bc file. An error says what is wrong as `FILE:LINE: what` where a line is
  // known.
  static outcome<ir_module> from_file(std::string const& path);

  // Parses text or bitcode from memory; `name` stands for the file in errors.
  static outcome<ir_module> from_memory(std::string_view ir, std::string const& name = "<memory>");

  std::string_view bitcode() const { return content_->bitcode; }
  content_digest const& digest() const { return content_->digest; }

  // As the module states it; empty where it states none.
  std::string const& triple() const { return content_->triple; }

  // The number of functions that name a CPU themselves ("target-cpu"): on x86 these keep it,
  // whatever the params say; NVPTX takes no notice.
  unsigned functions_with_own_target() const { return content_->functions_with_own_target; }

  friend bool operator==(ir_module const& a, ir_module const& b) {
    return a.digest() == b.digest();
  }

  struct content {
    std::string bitcode;
    content_digest digest;
    std::string triple;
    unsigned functions_with_own_target = 0;
  };
  explicit ir_module(std::shared_ptr<content const> c) : content_(std::move(c)) {}

 private:
  std::shared_ptr<content const> content_;
};

// By content.
template<>
struct value<ir_module> : value<content_digest> {
  static constexpr text kind = "ir_module";

  template<class Sink>
  static constexpr void write(Sink& sink, ir_module const& m) {
    value<content_digest>::write(sink, m.digest());
  }
};

// What the code generator made: an object, assembly or PTX, as its params ask.
struct machine_code {
  std::string bytes;

  friend bool operator==(machine_code const&, machine_code const&) = default;
};

}  // namespace layerkey
