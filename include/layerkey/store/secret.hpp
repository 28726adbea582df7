// What makes an entry of a store trustworthy: a secret that its readers and writers share.
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace layerkey {

// A key that was derived from a secret. Wiped where it ends.
class secret_key {
 public:
  static constexpr std::size_t size = 32;

  secret_key() = default;
  secret_key(secret_key const&) = default;
  secret_key& operator=(secret_key const&) = default;
  ~secret_key();

  // False: none was given. Nothing is signed, nothing is demanded.
  bool given() const { return given_; }
  std::array<unsigned char, size> const& bytes() const { return bytes_; }

  // In a time that does not depend on where they differ.
  bool operator==(secret_key const& other) const;

 private:
  friend class store_secret;

  std::array<unsigned char, size> bytes_ = {};
  bool given_ = false;
};

enum class secret_file : unsigned char {
  private_to_user,     // refused if it belongs to another user or others may read it
  readable_by_others,  // for those that are mounted that way
};

// None, or one, or one that could not be had: then problem() says what, where and what to do, and a
// store that is given it is not opened. Nothing is ever signed by less than what was asked for.
//
// Kept is a digest of the secret; what was read is wiped.
class store_secret {
 public:
  static constexpr std::size_t least_size = 16;
  static constexpr std::size_t greatest_size = 65'536;

  store_secret() = default;

  // What is in a file, or comes from a pipe; one end of line at the end is not part of it.
  static store_secret from_file(std::string const& path,
                                secret_file may_be = secret_file::private_to_user);
  // Who may read the environment of this process knows it, so a file is better.
  static store_secret from_environment(char const* variable);
  static store_secret from_bytes(std::string_view bytes);

  bool given() const { return key_.given() || !problem_.empty(); }
  std::string const& problem() const { return problem_; }

  // For one use, named by whoever uses it, so that what is seen of one use says nothing about
  // another. Not given if the secret is not.
  secret_key key_for(std::string_view use) const;

 private:
  secret_key key_;
  std::string problem_;
};

}  // namespace layerkey
