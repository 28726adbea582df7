// Under which circumstances an artifact may be served: tests on an entry, never a part of its key.
#pragma once

#include <layerkey/cache/detail/portable_bytes.hpp>
#include <layerkey/cache/outcome.hpp>
#include <layerkey/cache/portable.hpp>
#include <layerkey/detail/mp11.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace layerkey {

// What a request is made under, beside its input and its params.
struct request_context {
  std::uint64_t epoch = 0;    // the world age, revision or generation that is asked about
  std::stop_token stop = {};  // who asked does not want it any more
};

namespace detail {

// Zeros before it is initialised, which is the same.
inline request_context const no_context{};

}  // namespace detail

// What a stage returns that knows how long its artifact is right. Artifact: the layer's, or an
// outcome of it. Entries of one key under different validity coexist; one that is not valid for a
// request does not serve it. Whatever is made from an artifact inherits its validity.
//
// A validity says `bool holds(request_context const&) const`, from any thread, and `void
// restrict_to(V const&)`, after which it holds only where both did. What was made under one that is
// not portable is kept in no store.
template<class Artifact, class Validity>
struct with_validity {
  Artifact artifact;
  Validity validity;
};

// From the first epoch to the last, both included.
struct epoch_range {
  std::uint64_t first = 0;
  std::uint64_t last = std::numeric_limits<std::uint64_t>::max();

  bool holds(request_context const& c) const { return first <= c.epoch && c.epoch <= last; }
  void restrict_to(epoch_range const& other) {
    first = std::max(first, other.first);
    last = std::min(last, other.last);
  }
};

// All of these hold.
template<class... V>
struct valid_together {
  std::tuple<V...> all;

  explicit valid_together(V... each) : all(std::move(each)...) {}
};

namespace detail {

template<class T>
inline char type_tag = 0;

using type_id = void const*;

template<class T>
constexpr type_id id_of = &type_tag<T>;

// A validity of each type that an artifact was made under, whatever they are.
class validity_set {
 public:
  bool empty() const { return parts_.empty(); }

  bool holds(request_context const& c) const {
    for (auto const& each : parts_)
      if (!each->holds(c)) return false;
    return true;
  }

  template<class V>
  void add(V const& v) {
    add_part(std::make_shared<part_of<V> const>(v));
  }
  template<class... V>
  void add(valid_together<V...> const& v) {
    std::apply([this](auto const&... each) { (this->add(each), ...); }, v.all);
  }
  void add(validity_set const& other) {
    for (auto const& each : other.parts_) add_part(each);
  }

  // False where something in it means nothing to other processes; then what is appended is of no
  // use.
  bool write(std::string& out) const {
    put_number(out, parts_.size());
    return std::all_of(parts_.begin(), parts_.end(),
                       [&out](auto const& each) { return each->write(out); });
  }

  // Of these types; fails on others.
  template<class... V>
  void read(portable_reader& from, mp::mp_list<V...>) {
    for (auto left = from.count(); left != 0; --left) {
      [[maybe_unused]] auto const kind = from.text();
      [[maybe_unused]] auto const bytes = from.text();
      if (!(read_part<V>(kind, bytes) || ...)) from.fail();
    }
  }

 private:
  struct part {
    type_id type;

    explicit part(type_id t) : type(t) {}
    virtual ~part() = default;
    virtual bool holds(request_context const& c) const = 0;
    virtual std::shared_ptr<part const> and_also(part const& other) const = 0;
    virtual bool write(std::string& out) const = 0;
  };

  template<class V>
  struct part_of final : part {
    V validity;

    explicit part_of(V v) : part(id_of<V>), validity(std::move(v)) {}
    bool holds(request_context const& c) const override { return validity.holds(c); }
    std::shared_ptr<part const> and_also(part const& other) const override {
      auto both = validity;
      both.restrict_to(static_cast<part_of const&>(other).validity);
      return std::make_shared<part_of const>(std::move(both));
    }
    bool write([[maybe_unused]] std::string& out) const override {
      if constexpr (is_portable<V>) {
        put_text(out, {portable<V>::kind.data(), portable<V>::kind.size()});
        put_sized(out, [this](std::string& to) { portable<V>::write(to, validity); });
        return true;
      } else
        return false;
    }
  };

  template<class V>
  bool read_part([[maybe_unused]] std::string_view kind, [[maybe_unused]] std::string_view bytes) {
    if constexpr (is_portable<V>)
      if (kind == std::string_view(portable<V>::kind.data(), portable<V>::kind.size()))
        if (auto const read = portable<V>::read(bytes)) {
          add(*read);
          return true;
        }
    return false;
  }

  void add_part(std::shared_ptr<part const> const& more) {
    for (auto& each : parts_)
      if (each->type == more->type) {
        if (each != more) each = each->and_also(*more);
        return;
      }
    parts_.push_back(more);
  }

  std::vector<std::shared_ptr<part const>> parts_;
};

}  // namespace detail
}  // namespace layerkey
