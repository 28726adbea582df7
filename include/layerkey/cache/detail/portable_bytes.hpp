// Numbers and texts as bytes that mean the same on every machine, and back from bytes that nobody
// vouches for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace layerkey::detail {

// The lowest byte first.
inline void put_number(std::string& out, std::uint64_t n, std::size_t bytes = 8) {
  for (std::size_t i = 0; i != bytes; ++i) out += static_cast<char>(n >> 8 * i & 0xff);
}

inline void put_text(std::string& out, std::string_view text) {
  put_number(out, text.size());
  out += text;
}

// What `write(out)` appends, as put_text would put it.
template<class Write>
void put_sized(std::string& out, Write const& write) {
  auto const at = out.size();
  put_number(out, 0);
  write(out);
  std::string size;
  put_number(size, out.size() - at - 8);
  out.replace(at, 8, size);
}

// Once something was not there, everything that follows is empty, and failed() says so.
class portable_reader {
 public:
  explicit portable_reader(std::string_view bytes) : left_(bytes) {}

  std::uint64_t number(std::size_t bytes = 8) {
    auto const from = take(bytes);
    std::uint64_t n = 0;
    for (std::size_t i = from.size(); i-- != 0;) n = n << 8 | static_cast<unsigned char>(from[i]);
    return n;
  }

  std::string_view text() { return take(number()); }

  // A count of items that take at least a byte each, so that no one is made to wait for nothing.
  std::size_t count() {
    auto const n = number();
    if (n > left_.size()) fail();
    return failed_ ? 0 : static_cast<std::size_t>(n);
  }

  // All that was not read yet.
  std::string_view rest() { return take(left_.size()); }

  bool failed() const { return failed_; }
  void fail() {
    failed_ = true;
    left_ = {};
  }
  // Everything was read, and was there.
  bool ended() const { return !failed_ && left_.empty(); }

 private:
  std::string_view take(std::uint64_t size) {
    if (size > left_.size()) {
      fail();
      return {};
    }
    auto const taken = left_.substr(0, static_cast<std::size_t>(size));
    left_.remove_prefix(taken.size());
    return taken;
  }

  std::string_view left_;
  bool failed_ = false;
};

}  // namespace layerkey::detail
