// libFuzzer: clang++ -fsanitize=fuzzer,address,undefined.
#include "entry_decoder.hpp"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  store_test::check_entry_decoder({reinterpret_cast<char const*>(data), size});
  return 0;
}
