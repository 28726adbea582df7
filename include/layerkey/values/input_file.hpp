// Files in params, by what they say: a file is read once, and the bytes that are hashed are the
// bytes that the stage is given.
#pragma once

#include <layerkey/content_digest.hpp>
#include <layerkey/detail/inline.hpp>
#include <layerkey/error.hpp>
#include <layerkey/value.hpp>
#include <layerkey/values/text.hpp>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>

namespace layerkey {
namespace error {

template<auto Digest>
constexpr bool the_function_digests_bytes = false;
template<auto Digest>
consteval bool no_digest() {
  static_assert(the_function_digests_bytes<Digest>,
                "layerkey: the digest of a file is a function from std::string_view to "
                "layerkey::content_digest, such as digest_of of <layerkey/llvm/digest.hpp>.");
  return true;
}

template<class P, text Member>
constexpr bool the_tag_says_what_is_read_of_the_file = false;
template<class P, text Member>
consteval bool file_taken_whole() {
  static_assert(
      the_tag_says_what_is_read_of_the_file<P, Member>,
      "layerkey: a stage may read the content of this file, its path, or both, and its key has "
      "what the tag says. Write affects<Layer>::as<content_of>, as<path_of> or "
      "as<content_and_path_of>; for lists of files and optional ones see "
      "<layerkey/values/input_files.hpp>.");
  return true;
}

}  // namespace error

namespace detail {

template<auto Digest>
concept digests_bytes = requires(std::string_view bytes) {
  requires std::is_same_v<decltype(Digest(bytes)), content_digest>;
};

// Shares an object that does not change any more. A std::shared_ptr does not work in constant
// expressions, and a struct that held one would have no constant defaults.
template<class T>
class shared_constant {
 public:
  constexpr shared_constant() = default;
  explicit shared_constant(T value) : held_(new counted{std::move(value), 1}) {}
  constexpr shared_constant(shared_constant const& other) : held_(other.held_) {
    if (held_ != nullptr) __atomic_fetch_add(&held_->owners, 1, __ATOMIC_RELAXED);
  }
  constexpr shared_constant(shared_constant&& other) noexcept
      : held_(std::exchange(other.held_, nullptr)) {}
  constexpr shared_constant& operator=(shared_constant other) noexcept {
    std::swap(held_, other.held_);
    return *this;
  }
  constexpr ~shared_constant() {
    if (held_ != nullptr && __atomic_fetch_sub(&held_->owners, 1, __ATOMIC_ACQ_REL) == 1)
      delete held_;
  }

  // Null if there is none.
  constexpr T const* get() const { return held_ == nullptr ? nullptr : &held_->value; }

 private:
  struct counted {
    T value;
    std::size_t owners;
  };

  counted* held_ = nullptr;
};

struct digested {
  std::string bytes;
  content_digest digest;
};

inline constexpr content_digest no_digest{};

// Everything from here to the end, in one pass, so that a pipe is read as a file is.
inline std::error_code read_to_end(std::string const& path, std::string& bytes) {
  auto const last_error = [] { return std::error_code(errno, std::generic_category()); };
  // fopen would take what stands before the zero, which names another file.
  if (path.find('\0') != std::string::npos)
    return std::make_error_code(std::errc::invalid_argument);
  struct closing {
    std::FILE* file;
    ~closing() {
      if (file != nullptr) std::fclose(file);
    }
  } const from{std::fopen(path.c_str(), "rbe")};  // e: no program that is started meanwhile has it
  if (from.file == nullptr) return last_error();
  constexpr std::size_t piece = std::size_t{1} << 16;
  for (;;) {
    std::size_t const before = bytes.size();
    bytes.resize(before + piece);
    std::size_t const count = std::fread(bytes.data() + before, 1, piece, from.file);
    bytes.resize(before + count);
    if (count == piece) continue;
    if (std::ferror(from.file) == 0) break;
    if (errno != EINTR) return last_error();
    std::clearerr(from.file);
  }
  bytes.shrink_to_fit();
  return {};
}

}  // namespace detail

// ---- what a layer sees of a file ---------------------------------------------------------------

// The content of a file without its path. Equality and key are those of the digest with the length;
// where no file was read they differ from every content, the empty one too.
class file_content {
 public:
  constexpr file_content() = default;

  // Valid as long as any copy of the file or of this.
  constexpr std::string_view bytes() const {
    return content_.get() == nullptr ? std::string_view() : std::string_view(content_.get()->bytes);
  }
  constexpr content_digest const& digest() const {
    return content_.get() == nullptr ? detail::no_digest : content_.get()->digest;
  }
  // Whether a file was read.
  constexpr bool is_there() const { return content_.get() != nullptr; }

  friend constexpr bool operator==(file_content const& a, file_content const& b) {
    return a.digest() == b.digest();
  }

 private:
  friend class input_file;
  explicit file_content(detail::digested content) : content_(std::move(content)) {}

  detail::shared_constant<detail::digested> content_;
};

// The path of a file as text, without its content: two spellings of one file differ.
class file_path {
 public:
  constexpr file_path() = default;

  // Valid as long as any copy of the file or of this.
  constexpr std::string_view text() const {
    return path_.get() == nullptr ? std::string_view() : std::string_view(*path_.get());
  }

  friend constexpr bool operator==(file_path const& a, file_path const& b) {
    return a.text() == b.text();
  }

 private:
  friend class input_file;
  explicit file_path(std::string path) : path_(std::move(path)) {}

  detail::shared_constant<std::string> path_;
};

struct file_content_and_path {
  file_content content;
  file_path path;

  friend constexpr bool operator==(file_content_and_path const&,
                                   file_content_and_path const&) = default;
};

// ---- the file ----------------------------------------------------------------------------------

// A file that has been read: its path, its bytes, their digest. Nothing that happens to the file
// later changes them, and copies share them. As a member of params it is keyed by what the layer
// reads of it:
//
//   layerkey::input_file profile;
//   ...
//   field<&params::profile, affects<codegen>::as<content_of>, affects<debug_info>::as<path_of>>
//
// A stage's view then gives a file_content or a file_path. One made by default is no file, which
// differs from an empty one. For lists of files, and files in a std::optional, there is
// <layerkey/values/input_files.hpp>.
class input_file {
 public:
  class result;

  constexpr input_file() = default;

  // Reads the file once, from its beginning to its end. Digest is a function from std::string_view
  // to content_digest by a cryptographic hash of 256 bits, such as digest_of of
  // <layerkey/llvm/digest.hpp>; the core has none. Fails where the file cannot be opened or read,
  // or is a directory; the error names the path and says why.
  template<auto Digest>
  static result read(std::string path);

  // The same of bytes that the program has read or made itself; `path` stands for a file.
  template<auto Digest>
  static result from_memory(std::string bytes, std::string path);

  // A file that stands for all of one content, or of one path, or of both: what narrowed<> puts
  // into a struct, by as<content_of>::represented_by<input_file::with_content>.
  static constexpr input_file with_content(file_content const& content) { return {content, {}}; }
  static constexpr input_file with_path(file_path const& path) { return {{}, path}; }
  static constexpr input_file with_content_and_path(file_content_and_path const& both) {
    return {both.content, both.path};
  }

  constexpr file_content const& content() const { return content_; }
  constexpr std::string_view bytes() const { return content_.bytes(); }
  constexpr content_digest const& digest() const { return content_.digest(); }

  // As it was given, whether or not it is the shortest one.
  constexpr file_path const& path() const { return path_; }

  friend constexpr bool operator==(input_file const&, input_file const&) = default;

 private:
  constexpr input_file(file_content content, file_path path)
      : content_(std::move(content)), path_(std::move(path)) {}

  file_content content_;
  file_path path_;
};

// A file, or why there is none, with the members of std::expected that matter.
class [[nodiscard]] input_file::result {
 public:
  result(input_file file) : file_(std::move(file)) {}
  result(std::error_code code, std::string error) : code_(code), error_(std::move(error)) {}

  bool has_value() const noexcept { return !code_; }
  explicit operator bool() const noexcept { return has_value(); }

  // Asking for a file that is not there ends the program; ask has_value() first.
  input_file const& value() const noexcept {
    if (code_) std::abort();
    return file_;
  }
  input_file const& operator*() const noexcept { return value(); }
  input_file const* operator->() const noexcept { return &value(); }

  // `PATH: what is wrong`, and as a code; empty where there is a file.
  std::string const& error() const noexcept { return error_; }
  std::error_code code() const noexcept { return code_; }

 private:
  input_file file_;
  std::error_code code_;
  std::string error_;
};

template<auto Digest>
input_file::result input_file::from_memory(std::string bytes, std::string path) {
  if constexpr (!detail::digests_bytes<Digest>) {
    static_cast<void>(error::no_digest<Digest>());
    return input_file();
  } else {
    content_digest digest = Digest(std::string_view(bytes));
    if (!digest)  // would be the key of no file
      return {std::make_error_code(std::errc::invalid_argument),
              path + ": its digest names no algorithm"};
    digest.size = bytes.size();
    return input_file(file_content({std::move(bytes), digest}), file_path(std::move(path)));
  }
}

template<auto Digest>
input_file::result input_file::read(std::string path) {
  std::string bytes;
  if (auto const code = detail::read_to_end(path, bytes)) {
    auto const why = code == std::errc::no_such_file_or_directory ? ": no such file"
                     : code == std::errc::is_a_directory          ? ": is a directory"
                                                         : ": cannot be read: " + code.message();
    return {code, path + why};
  }
  return from_memory<Digest>(std::move(bytes), std::move(path));
}

// ---- projections -------------------------------------------------------------------------------

// In the key is the digest of the content; the stage is given the bytes.
constexpr file_content const& content_of(input_file const& file) { return file.content(); }

// In the key is the path as text.
constexpr file_path const& path_of(input_file const& file) { return file.path(); }

// For a layer that reads both.
constexpr file_content_and_path content_and_path_of(input_file const& file) {
  return {file.content(), file.path()};
}

// ---- in keys -----------------------------------------------------------------------------------

template<>
struct value<file_content> : value<content_digest> {
  static constexpr text kind = "file_content";

  template<class Sink>
  LAYERKEY_ALWAYS_INLINE static constexpr void write(Sink& sink, file_content const& v) {
    value<content_digest>::write(sink, v.digest());
  }
  template<class Printer>
  static void print(Printer& to, file_content const& v) {
    to.value(v.digest());
  }
};

template<>
struct value<file_path> {
  static constexpr text kind = "path";
  using form = forms::characters;

  template<class Sink>
  LAYERKEY_ALWAYS_INLINE static constexpr void write(Sink& sink, file_path const& v) {
    value<std::string_view>::write(sink, v.text());
  }
  template<class Source>
  static std::string read(Source& from) {
    return value<std::string_view>::read(from);
  }
  template<class Printer>
  static void print(Printer& to, file_path const& v) {
    to.value(v.text());
  }
};

// A file_content_and_path as a key has it.
struct file_digest_and_path {
  content_digest digest;
  std::string path;
};

template<>
struct value<file_content_and_path> {
  static constexpr text kind = "file_content_and_path";
  using form = forms::all<file_content, file_path>;

  template<class Sink>
  LAYERKEY_ALWAYS_INLINE static constexpr void write(Sink& sink, file_content_and_path const& v) {
    value<file_content>::write(sink, v.content);
    value<file_path>::write(sink, v.path);
  }
  template<class Source>
  static file_digest_and_path read(Source& from) {
    auto const digest = value<file_content>::read(from);
    return {digest, value<file_path>::read(from)};
  }
  template<class Printer>
  static void print(Printer& to, file_content_and_path const& v) {
    to.list(v.content, v.path);
  }
};

// No `kind`: a layer's key has what its tag names.
template<>
struct value<input_file> {
  template<class Printer>
  static void print(Printer& to, input_file const& v) {
    to.list(v.content(), v.path());
  }
};

template<>
struct error::unkeyed<input_file> {
  template<class P, text Member>
  static consteval bool say() {
    return file_taken_whole<P, Member>();
  }
};

}  // namespace layerkey
