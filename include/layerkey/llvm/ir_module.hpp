// LLVM IR as an input of a compile and as an artifact of the optimiser: canonical bytes and their
// digest.
#pragma once

#include <layerkey/cache/detail/portable_bytes.hpp>
#include <layerkey/cache/outcome.hpp>
#include <layerkey/cache/portable.hpp>
#include <layerkey/content_digest.hpp>
#include <layerkey/value.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

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

// What is known of the bitcode, and the bitcode.
template<>
struct portable<ir_module> {
  static constexpr text kind = "ir_module/1";

  static void write(std::string& out, ir_module const& m) {
    out.append(reinterpret_cast<char const*>(m.digest().bytes), sizeof m.digest().bytes);
    detail::put_number(out, static_cast<std::uint64_t>(m.digest().algorithm), 1);
    detail::put_number(out, m.functions_with_own_target(), 4);
    detail::put_text(out, m.triple());
    out += m.bitcode();
  }
  static std::optional<ir_module> read(std::string_view bytes) {
    detail::portable_reader from(bytes);
    ir_module::content c;
    for (auto& each : c.digest.bytes) each = static_cast<std::uint8_t>(from.number(1));
    c.digest.algorithm = static_cast<digest_algorithm>(from.number(1));
    c.functions_with_own_target = static_cast<unsigned>(from.number(4));
    c.triple = from.text();
    if (from.failed()) return std::nullopt;
    c.bitcode = from.rest();
    c.digest.size = c.bitcode.size();
    return ir_module(std::make_shared<ir_module::content const>(std::move(c)));
  }
};

// What the code generator made: an object, assembly or PTX, as its params ask.
struct machine_code {
  std::string bytes;

  friend bool operator==(machine_code const&, machine_code const&) = default;
};

template<>
struct portable<machine_code> {
  static constexpr text kind = "machine_code/1";

  static void write(std::string& out, machine_code const& code) { out += code.bytes; }
  static std::optional<machine_code> read(std::string_view bytes) {
    return machine_code{std::string(bytes)};
  }
};

}  // namespace layerkey
