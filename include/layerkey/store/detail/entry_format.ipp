// Entries as bytes, and what canonical encodings begin with.
#include <layerkey/encoding.hpp>
#include <layerkey/store/detail/checksum.hpp>
#include <layerkey/store/detail/sodium.hpp>
#include <layerkey/store/entry_format.hpp>

#include <zstd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <utility>

namespace layerkey {
namespace detail {
namespace {

constexpr char entry_magic[] = {'l', 'k', 'e', 'n', 't', 'r', 'y', entry_format_version};

// Where things are that are always at the same place.
constexpr std::size_t at_version = 7;
constexpr std::size_t at_length = 8;
constexpr std::size_t at_checksum = 16;
constexpr std::size_t at_flags = 32;
constexpr std::size_t tag_size = 32;
// Without a tag.
constexpr std::size_t least_entry_size = 33 + 4 + 2 + 2 + 4 + 4 + 4 + 8 + 8;

static_assert(least_entry_size > at_flags + tag_size);

constexpr unsigned char flag_compressed = 1;
constexpr unsigned char flag_tagged = 2;

constexpr std::uint64_t greatest_ratio = 1024;

std::uint64_t number_at(char const* from, std::size_t bytes) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i != bytes; ++i)
    number |= std::uint64_t{static_cast<unsigned char>(from[i])} << 8 * i;
  return number;
}

void put_number(char* to, std::uint64_t number, std::size_t bytes) {
  for (std::size_t i = 0; i != bytes; ++i) to[i] = static_cast<char>(number >> 8 * i & 0xff);
}

void append_number(std::string& out, std::uint64_t number, std::size_t bytes) {
  char text[8];
  put_number(text, number, bytes);
  out.append(text, bytes);
}

void append_sized(std::string& out, std::string_view bytes, std::size_t width) {
  append_number(out, bytes.size(), width);
  out += bytes;
}

XXH128_canonical_t canonical_checksum(digest128 const& sum) {
  XXH128_canonical_t out;
  XXH128_canonicalFromHash(&out, {sum.low, sum.high});
  return out;
}
XXH128_canonical_t canonical_checksum(std::string_view bytes) {
  return canonical_checksum(checksum_of(bytes.data(), bytes.size()));
}

// Takes pieces from the front; one that is not there leaves nothing.
struct piece_reader {
  std::string_view left;
  bool good = true;

  std::uint64_t number(std::size_t bytes) {
    char const* const from = left.data();
    return good && need(bytes) ? (take(bytes), number_at(from, bytes)) : 0;
  }
  std::string_view bytes(std::uint64_t count) {
    return good && need(count) ? take(static_cast<std::size_t>(count)) : std::string_view();
  }
  std::string_view sized(std::size_t width) { return bytes(number(width)); }

 private:
  bool need(std::uint64_t count) { return good = count <= left.size(); }
  std::string_view take(std::size_t count) {
    std::string_view const piece = left.substr(0, count);
    left.remove_prefix(count);
    return piece;
  }
};

entry_fault check_frame(std::string_view bytes, secret_key const& key) {
  if (bytes.size() < sizeof entry_magic) return entry_fault::too_short;
  if (std::memcmp(bytes.data(), entry_magic, at_version) != 0) return entry_fault::other_magic;
  if (bytes[at_version] != entry_magic[at_version]) return entry_fault::other_format_version;
  if (bytes.size() < least_entry_size) return entry_fault::too_short;
  if (number_at(bytes.data() + at_length, 8) != bytes.size()) return entry_fault::wrong_length;
  if (!key.given()) return entry_fault::none;

  if ((static_cast<unsigned char>(bytes[at_flags]) & flag_tagged) == 0) return entry_fault::no_tag;
  if (bytes.size() < least_entry_size + tag_size) return entry_fault::wrong_tag;
  std::string_view const signed_part = bytes.substr(0, bytes.size() - tag_size);
  auto const tag = blake2b(key.bytes()).add(signed_part).end();
  return sodium_memcmp(tag.data(), bytes.data() + signed_part.size(), tag_size) == 0
             ? entry_fault::none
             : entry_fault::wrong_tag;
}

// ---- compression -------------------------------------------------------------------------------

template<class Context, std::size_t (*Free)(Context*)>
struct frees_context {
  void operator()(Context* context) const { Free(context); }
};
using zstd_compressor = std::unique_ptr<ZSTD_CCtx, frees_context<ZSTD_CCtx, ZSTD_freeCCtx>>;
using zstd_decompressor = std::unique_ptr<ZSTD_DCtx, frees_context<ZSTD_DCtx, ZSTD_freeDCtx>>;

// Appends nothing and says false where that is no gain.
bool append_compressed(std::string& out, std::string_view content) {
  thread_local zstd_compressor const context(ZSTD_createCCtx());
  if (context == nullptr) return false;
  std::size_t const before = out.size();
  std::size_t const room = ZSTD_compressBound(content.size());
  if (ZSTD_isError(room) != 0) return false;
  out.resize(before + room);
  std::size_t const size = ZSTD_compressCCtx(context.get(), out.data() + before, room,
                                             content.data(), content.size(), 1);
  bool const gain =
      ZSTD_isError(size) == 0 && size < content.size() && content.size() / greatest_ratio < size;
  out.resize(gain ? before + size : before);
  return gain;
}

// ---- explanations ------------------------------------------------------------------------------

std::string quoted(std::string_view text) {
  constexpr std::size_t shown = 200;
  return "'" + std::string(text.substr(0, shown)) + (text.size() > shown ? "...'" : "'");
}

std::string instead(std::string_view found, std::string_view wanted) {
  return ": " + quoted(found) + " in place of " + quoted(wanted);
}

}  // namespace
}  // namespace detail

// ---- faults ------------------------------------------------------------------------------------

std::string_view name_of(entry_fault fault) {
  switch (fault) {
    case entry_fault::none:
      return "none";
    case entry_fault::too_short:
      return "too_short";
    case entry_fault::other_magic:
      return "other_magic";
    case entry_fault::other_format_version:
      return "other_format_version";
    case entry_fault::wrong_length:
      return "wrong_length";
    case entry_fault::no_tag:
      return "no_tag";
    case entry_fault::wrong_tag:
      return "wrong_tag";
    case entry_fault::wrong_checksum:
      return "wrong_checksum";
    case entry_fault::wrong_layout:
      return "wrong_layout";
    case entry_fault::other_layer:
      return "other_layer";
    case entry_fault::other_provenance:
      return "other_provenance";
    case entry_fault::other_schema:
      return "other_schema";
    case entry_fault::other_key:
      return "other_key";
    case entry_fault::other_variant:
      return "other_variant";
    case entry_fault::other_kind:
      return "other_kind";
    case entry_fault::broken_compression:
      return "broken_compression";
    case entry_fault::no_memory:
      return "no_memory";
    case entry_fault::not_readable:
      return "not_readable";
  }
  return "unknown";
}

std::string_view to_text(entry_fault fault) {
  switch (fault) {
    case entry_fault::none:
      return "it is right";
    case entry_fault::too_short:
      return "it is shorter than any entry: it was cut, or never written";
    case entry_fault::other_magic:
      return "it is no entry of layerkey";
    case entry_fault::other_format_version:
      return "it is of another version of the entry format";
    case entry_fault::wrong_length:
      return "it is not as long as it says: cut, or something behind it";
    case entry_fault::no_tag:
      return "it has no tag, and a secret is in use";
    case entry_fault::wrong_tag:
      return "its tag is not made with this secret: changed, or written by others";
    case entry_fault::wrong_checksum:
      return "its checksum is wrong: it was changed on the way";
    case entry_fault::wrong_layout:
      return "its checksum is right, but its parts do not fit into it";
    case entry_fault::other_layer:
      return "it is of another layer";
    case entry_fault::other_provenance:
      return "it was made by something else";
    case entry_fault::other_schema:
      return "it is of params that are declared otherwise";
    case entry_fault::other_key:
      return "it is of another key";
    case entry_fault::other_variant:
      return "it is another variant for this key";
    case entry_fault::other_kind:
      return "its content is of another kind";
    case entry_fault::broken_compression:
      return "its content does not become what it says when it is decompressed";
    case entry_fault::no_memory:
      return "there is no memory for its content";
    case entry_fault::not_readable:
      return "its content is not what its kind says, so the kind should have another name";
  }
  return "unknown";
}

std::string explain(entry_fault fault, entry_parts const& found, entry_heading const& wanted) {
  std::string text(to_text(fault));
  entry_heading const& is = found.heading;
  switch (fault) {
    case entry_fault::other_layer:
      return text + detail::instead(is.layer, wanted.layer);
    case entry_fault::other_provenance:
      return text + (is.provenance != wanted.provenance
                         ? detail::instead(is.provenance, wanted.provenance)
                         : detail::instead(is.made_by, wanted.made_by));
    case entry_fault::other_variant:
      return text + detail::instead(std::to_string(is.variant), std::to_string(wanted.variant));
    case entry_fault::other_kind:
      return text + detail::instead(is.kind, wanted.kind);
    case entry_fault::broken_compression:
    case entry_fault::no_memory:
      return text + ": " + std::to_string(found.size) + " bytes";
    case entry_fault::not_readable:
      return text + ": " + detail::quoted(is.kind);
    default:
      return text;
  }
}

// ---- entries -----------------------------------------------------------------------------------

secret_key tag_key(store_secret const& secret) { return secret.key_for("layerkey entry tag 1"); }

std::string encode_entry(std::string& out, entry_heading const& heading, std::string_view content,
                         secret_key const& key, std::size_t compress_from) {
  using namespace detail;
  constexpr std::size_t short_limit = std::numeric_limits<std::uint16_t>::max();
  constexpr std::size_t limit = std::numeric_limits<std::uint32_t>::max();
  if (heading.layer.size() > short_limit || heading.kind.size() > short_limit)
    return "the name of a layer or kind has more than 65,535 bytes. Give it a shorter one";
  if (heading.provenance.size() > limit || heading.made_by.size() > limit ||
      heading.canonical.size() > limit)
    return "a provenance or a key has 4 GiB or more. Put a digest in place of large content";

  std::size_t const begin = out.size();
  out.append(entry_magic, sizeof entry_magic);
  out.append(at_flags - sizeof entry_magic, '\0');
  out += '\0';
  append_number(out, heading.variant, 4);
  append_sized(out, heading.layer, 2);
  append_sized(out, heading.kind, 2);
  append_sized(out, heading.provenance, 4);
  append_sized(out, heading.made_by, 4);
  append_sized(out, heading.canonical, 4);
  append_number(out, content.size(), 8);
  std::size_t const stored = out.size();
  append_number(out, content.size(), 8);
  unsigned char flags = key.given() ? flag_tagged : 0;
  if (compress_from != 0 && content.size() >= compress_from && append_compressed(out, content)) {
    flags |= flag_compressed;
    put_number(out.data() + stored, out.size() - stored - 8, 8);
  } else {
    out += content;
  }

  out[begin + at_flags] = static_cast<char>(flags);
  std::size_t const end = out.size();
  put_number(out.data() + begin + at_length, end - begin + (key.given() ? tag_size : 0), 8);
  auto const checksum =
      canonical_checksum(std::string_view(out).substr(begin + at_flags, end - begin - at_flags));
  std::memcpy(out.data() + begin + at_checksum, checksum.digest, sizeof checksum.digest);
  if (key.given()) {
    auto const tag = blake2b(key.bytes()).add(std::string_view(out).substr(begin)).end();
    out.append(reinterpret_cast<char const*>(tag.data()), tag.size());
  }
  return {};
}

entry_fault decode_entry(entry_bytes const& entry, secret_key const& key, entry_parts& out) {
  using namespace detail;
  std::string_view const bytes = entry.bytes;
  if (entry_fault const fault = check_frame(bytes, key); fault != entry_fault::none) return fault;

  auto const flags = static_cast<unsigned char>(bytes[at_flags]);
  bool const tagged = (flags & flag_tagged) != 0;
  std::string_view const body =
      bytes.substr(at_flags, bytes.size() - at_flags - (tagged ? tag_size : 0));
  auto const checksum =
      entry.checksum && !tagged ? canonical_checksum(*entry.checksum) : canonical_checksum(body);
  if (std::memcmp(bytes.data() + at_checksum, checksum.digest, sizeof checksum.digest) != 0)
    return entry_fault::wrong_checksum;

  if ((flags & ~(flag_compressed | flag_tagged)) != 0) return entry_fault::wrong_layout;
  piece_reader from{body.substr(1)};
  entry_parts parts;
  parts.compressed = (flags & flag_compressed) != 0;
  parts.tagged = tagged;
  parts.heading.variant = static_cast<std::uint32_t>(from.number(4));
  parts.heading.layer = from.sized(2);
  parts.heading.kind = from.sized(2);
  parts.heading.provenance = from.sized(4);
  parts.heading.made_by = from.sized(4);
  parts.heading.canonical = from.sized(4);
  parts.size = from.number(8);
  parts.stored = from.sized(8);
  if (!from.good || !from.left.empty()) return entry_fault::wrong_layout;
  if (!parts.compressed && parts.size != parts.stored.size()) return entry_fault::wrong_layout;
  if (parts.compressed &&
      (parts.size <= parts.stored.size() || parts.size / greatest_ratio >= parts.stored.size()))
    return entry_fault::broken_compression;
  out = parts;
  return entry_fault::none;
}

entry_fault compare(entry_heading const& found, entry_heading const& wanted) {
  if (found.layer != wanted.layer) return entry_fault::other_layer;
  if (found.provenance != wanted.provenance || found.made_by != wanted.made_by)
    return entry_fault::other_provenance;
  if (found.canonical != wanted.canonical) {
    auto const is = read_canonical_heading(found.canonical);
    auto const should_be = read_canonical_heading(wanted.canonical);
    bool const other_schema = is && should_be && is->layer == should_be->layer &&
                              is->fingerprints != should_be->fingerprints;
    return other_schema ? entry_fault::other_schema : entry_fault::other_key;
  }
  if (found.variant != wanted.variant) return entry_fault::other_variant;
  return found.kind == wanted.kind ? entry_fault::none : entry_fault::other_kind;
}

content_buffer::~content_buffer() { std::free(bytes_); }

void content_buffer::keep_at_most(std::size_t size) {
  if (size_ <= size) return;
  std::free(std::exchange(bytes_, nullptr));
  size_ = 0;
}

entry_fault content_buffer::content_of(entry_parts const& entry, std::string_view& content) {
  if (!entry.compressed) {
    content = entry.stored;
    return entry_fault::none;
  }
  if (ZSTD_getFrameContentSize(entry.stored.data(), entry.stored.size()) != entry.size ||
      ZSTD_findFrameCompressedSize(entry.stored.data(), entry.stored.size()) != entry.stored.size())
    return entry_fault::broken_compression;
  if (entry.size > std::numeric_limits<std::size_t>::max()) return entry_fault::no_memory;
  auto const size = static_cast<std::size_t>(entry.size);
  if (size > size_) {
    keep_at_most(0);
    bytes_ = static_cast<char*>(std::malloc(size));
    if (bytes_ == nullptr) return entry_fault::no_memory;
    size_ = size;
  }
  thread_local detail::zstd_decompressor const context(ZSTD_createDCtx());
  if (context == nullptr) return entry_fault::no_memory;
  std::size_t const made =
      ZSTD_decompressDCtx(context.get(), bytes_, size, entry.stored.data(), entry.stored.size());
  if (ZSTD_isError(made) != 0 || made != size) return entry_fault::broken_compression;
  content = {bytes_, size};
  return entry_fault::none;
}

// ---- addresses ---------------------------------------------------------------------------------

entry_scope scope_of(std::string_view provenance, std::string_view made_by,
                     std::string_view layer) {
  auto const digest = detail::blake2b()
                          .add(std::string_view(detail::entry_magic, sizeof detail::entry_magic))
                          .add_sized(provenance)
                          .add_sized(made_by)
                          .add_sized(layer)
                          .end();
  entry_scope scope;
  std::memcpy(scope.data(), digest.data(), scope.size());
  return scope;
}

entry_address address_in(entry_scope const& scope, std::string_view canonical,
                         std::uint32_t variant) {
  auto const hash = detail::canonical_checksum(canonical);
  char number[4];
  detail::put_number(number, variant, sizeof number);
  entry_address at;
  static_assert(sizeof hash.digest + sizeof number + sizeof scope == sizeof at);
  std::memcpy(at.data(), hash.digest, sizeof hash.digest);
  std::memcpy(at.data() + sizeof hash.digest, number, sizeof number);
  std::memcpy(at.data() + sizeof hash.digest + sizeof number, scope.data(), scope.size());
  return at;
}

entry_address address_of(entry_heading const& heading) {
  return address_in(scope_of(heading.provenance, heading.made_by, heading.layer), heading.canonical,
                    heading.variant);
}

std::string check_entry(entry_address const& at, std::string_view bytes, secret_key const& key) {
  entry_parts parts;
  entry_fault fault = decode_entry(bytes, key, parts);
  if (fault == entry_fault::none && address_of(parts.heading) != at)
    return "it lies at the address of another one";
  content_buffer buffer;
  std::string_view content;
  if (fault == entry_fault::none) fault = buffer.content_of(parts, content);
  return fault == entry_fault::none ? "" : explain(fault, parts, parts.heading);
}

// ---- canonical encodings -----------------------------------------------------------------------

digest128 canonical_heading::fingerprint(std::size_t which) const {
  char const* const from = fingerprints.data() + 16 * which;
  return {.high = detail::number_at(from + 8, 8), .low = detail::number_at(from, 8)};
}

std::optional<canonical_heading> read_canonical_heading(std::string_view bytes) {
  detail::piece_reader from{bytes};
  if (from.bytes(4) != "lkey" || from.number(1) != encoding_version) return {};
  canonical_heading heading;
  heading.layer = from.sized(8);
  heading.fingerprints = from.bytes(16 * from.number(2));
  heading.rest = from.left;
  if (!from.good) return {};
  return heading;
}

std::optional<canonical_heading> read_canonical_encoding(std::string_view bytes) {
  auto heading = read_canonical_heading(bytes);
  if (!heading || heading->rest.size() < 8) return {};
  heading->rest.remove_suffix(8);
  if (detail::number_at(bytes.data() + bytes.size() - 8, 8) != bytes.size() - 8) return {};
  return heading;
}

}  // namespace layerkey
