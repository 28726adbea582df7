// Which artifacts mean something in another process, and how they become bytes.
#pragma once

#include <layerkey/text.hpp>

#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace layerkey {

// To let stores keep an artifact, or a validity, say how it is written:
//
//   template<>
//   struct layerkey::portable<object_code> {
//     static constexpr layerkey::text kind = "object_code/1";  // another one for other bytes
//     static void write(std::string& out, object_code const& o) { out += o.bytes; }  // appends
//     static std::optional<object_code> read(std::string_view bytes);
//   };
//
// `read` gets exactly what one `write` appended, or, from an entry that was tampered with where no
// secret is used, any bytes: it gives nothing for those that `write` does not make.
template<class T>
struct portable {};

// To say of an artifact that it means nothing in another process (addresses, handles):
//
//   template<>
//   constexpr bool layerkey::process_bound<loaded_code> = true;
//
// So are pointers.
template<class Artifact>
constexpr bool process_bound = std::is_pointer_v<Artifact> || std::is_member_pointer_v<Artifact>;

template<class T>
concept is_portable = requires(std::string& out, T const& t, std::string_view bytes) {
  { portable<T>::kind.data() } -> std::convertible_to<char const*>;
  portable<T>::write(out, t);
  { portable<T>::read(bytes) } -> std::same_as<std::optional<T>>;
};

// As they are.
template<>
struct portable<std::string> {
  static constexpr text kind = "bytes";

  static void write(std::string& out, std::string const& bytes) { out += bytes; }
  static std::optional<std::string> read(std::string_view bytes) { return std::string(bytes); }
};

template<class Byte>
  requires(sizeof(Byte) == 1 && std::is_trivially_copyable_v<Byte> && !std::same_as<Byte, bool>)
struct portable<std::vector<Byte>> {
  static constexpr text kind = "bytes";

  static void write(std::string& out, std::vector<Byte> const& bytes) {
    out.append(reinterpret_cast<char const*>(bytes.data()), bytes.size());
  }
  static std::optional<std::vector<Byte>> read(std::string_view bytes) {
    auto const* const first = reinterpret_cast<Byte const*>(bytes.data());
    return std::vector<Byte>(first, first + bytes.size());
  }
};

}  // namespace layerkey
