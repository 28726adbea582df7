// Secrets from files, environments and bytes.
#include <layerkey/store/detail/sodium.hpp>
#include <layerkey/store/secret.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>

namespace layerkey {
namespace detail {
namespace {

// What a secret is read into.
struct secret_bytes {
  // One more than there may be, and an end of line.
  std::array<char, store_secret::greatest_size + 3> bytes;
  std::size_t size = 0;

  ~secret_bytes() { sodium_memzero(bytes.data(), bytes.size()); }

  std::string_view text() const { return {bytes.data(), size}; }
};

struct opened_file {
  int descriptor;
  ~opened_file() {
    if (descriptor >= 0) ::close(descriptor);
  }
};

std::string reason(int error) { return std::generic_category().message(error); }

std::string not_private(std::string const& path, struct stat const& file) {
  if (!S_ISREG(file.st_mode)) return {};
  std::string const otherwise =
      ", or say secret_file::readable_by_others if that is as it should be";
  if (file.st_uid != ::geteuid() && file.st_uid != 0)
    return path + ": belongs to another user, who can change it. Copy it to a file of your own" +
           otherwise;
  if ((file.st_mode & (S_IRWXG | S_IRWXO)) != 0)
    return path + ": other users may read or change it. Do `chmod 600 " + path + "`" + otherwise;
  return {};
}

std::string_view without_end_of_line(std::string_view text) {
  if (text.ends_with('\n')) text.remove_suffix(1);
  if (text.ends_with('\r')) text.remove_suffix(1);
  return text;
}

// What is wrong with its size, after `where`.
std::string wrong_size(std::string const& where, std::size_t size) {
  std::string const make = "; `head -c 32 /dev/urandom | base64` makes a good one";
  if (size < store_secret::least_size)
    return where + (size == 0 ? " is empty" : " has " + std::to_string(size) + " bytes") +
           ", a secret has at least " + std::to_string(store_secret::least_size) + make;
  if (size > store_secret::greatest_size)
    return where + " has more than " + std::to_string(store_secret::greatest_size) +
           " bytes, so it is something else than a secret" + make;
  return {};
}

}  // namespace
}  // namespace detail

secret_key::~secret_key() { sodium_memzero(bytes_.data(), bytes_.size()); }

bool secret_key::operator==(secret_key const& other) const {
  return given_ == other.given_ &&
         sodium_memcmp(bytes_.data(), other.bytes_.data(), bytes_.size()) == 0;
}

store_secret store_secret::from_bytes(std::string_view bytes) {
  store_secret made;
  made.problem_ = detail::wrong_size("store secret: it", bytes.size());
  if (!made.problem_.empty()) return made;
  made.key_.bytes_ = detail::blake2b("layerkey secret1").add(bytes).end();
  made.key_.given_ = true;
  return made;
}

store_secret store_secret::from_environment(char const* variable) {
  std::string const where = std::string("store secret: environment variable ") + variable;
  char const* const value = std::getenv(variable);
  std::string_view const bytes = value == nullptr ? "" : value;
  store_secret made;
  if (value == nullptr)
    made.problem_ = where + " is not set. Set it, or take the secret from a file";
  else if (made.problem_ = detail::wrong_size(where, bytes.size()); made.problem_.empty())
    made = from_bytes(bytes);
  return made;
}

store_secret store_secret::from_file(std::string const& path, secret_file may_be) {
  store_secret made;
  auto const fail = [&made](std::string what) {
    made.problem_ = "store secret: " + std::move(what);
    return made;
  };
  auto const cannot = [&](int error) {
    return fail(path + ": cannot be read: " + detail::reason(error) +
                ". Make it, or give the right path");
  };
  if (path.find('\0') != std::string::npos) return cannot(EINVAL);
  detail::opened_file const file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (file.descriptor < 0) return cannot(errno);
  struct stat status;
  if (::fstat(file.descriptor, &status) != 0) return cannot(errno);
  if (may_be == secret_file::private_to_user)
    if (std::string problem = detail::not_private(path, status); !problem.empty())
      return fail(std::move(problem));

  detail::secret_bytes read;
  while (read.size != read.bytes.size()) {
    ssize_t const count =
        ::read(file.descriptor, read.bytes.data() + read.size, read.bytes.size() - read.size);
    if (count == 0) break;
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return cannot(errno);
    read.size += static_cast<std::size_t>(count);
  }
  std::string_view const bytes = detail::without_end_of_line(read.text());
  if (std::string problem = detail::wrong_size(path, bytes.size()); !problem.empty())
    return fail(std::move(problem));
  return from_bytes(bytes);
}

secret_key store_secret::key_for(std::string_view use) const {
  secret_key made;
  if (!key_.given_) return made;
  made.bytes_ = detail::blake2b(key_.bytes_).add(use).end();
  made.given_ = true;
  return made;
}

}  // namespace layerkey
