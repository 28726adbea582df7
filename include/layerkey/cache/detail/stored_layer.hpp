// One layer of a pipeline in a store: under what its artifacts are kept there, and what is kept
// beside them.
//
// The canonical bytes of a store_key here:
//
//   encoding       of the key of the params (encoding.hpp); under early cutoff of the own key
//   count, text    the kinds of what follows, as in fingerprint.hpp
//   encodings      of the input, if the stage takes it, and under early cutoff of the upstream
//                  artifacts
//
// The content of an entry: number of its form (1 byte, 1); validity (a count; kind and bytes of
// each, texts); messages (a count; the text and the number of each); costs (a count; name and
// nanoseconds of each); whether the stage checked (1 byte), and if so the encoding of the key of
// its check_only members, whether it refused (1 byte), why (a text), its messages (a count, texts);
// the artifact to the end. A count takes 8 bytes, a text is a count and characters.
#pragma once

#include <layerkey/cache/artifact_store.hpp>
#include <layerkey/cache/checks.hpp>
#include <layerkey/cache/detail/layer_cache.hpp>
#include <layerkey/cache/detail/portable_bytes.hpp>
#include <layerkey/cache/outcome.hpp>
#include <layerkey/cache/portable.hpp>
#include <layerkey/cache/validity.hpp>
#include <layerkey/detail/mp11.hpp>
#include <layerkey/detail/names.hpp>
#include <layerkey/detail/schema.hpp>
#include <layerkey/encoding.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace layerkey {

// Each says false, so that what follows a mistake is left out and one mistake is one error.
namespace error {

template<class Layer, class Artifact>
constexpr bool the_artifact_says_whether_it_is_portable = false;
template<class Layer, class Artifact>
consteval bool neither_portable_nor_bound() {
  static_assert(
      the_artifact_says_whether_it_is_portable<Layer, Artifact>,
      "layerkey: the pipeline has a store, and nothing says whether the artifact of this "
      "layer means anything in another process. Specialise layerkey::portable for it, "
      "or say `template<> constexpr bool layerkey::process_bound<Artifact> = true;`, or "
      "say in the layer why it is not stored: `static constexpr layerkey::text not_stored "
      "= \"reason\";`.");
  return false;
}

template<class Layer, class Value>
constexpr bool a_stored_artifact_has_a_portable_key = false;
template<class Layer, class Value>
consteval bool process_bound_input() {
  static_assert(a_stored_artifact_has_a_portable_key<Layer, Value>,
                "layerkey: the artifact of this layer is portable, and this part of its key, an "
                "object by identity or an enumeration whose enumerators cannot be told, means "
                "nothing in another process. Identify the input by its content, or say in the "
                "layer why it is not stored: `static constexpr layerkey::text not_stored = "
                "\"reason\";`.");
  return false;
}

}  // namespace error

namespace detail {

// A turn to make an artifact, given back when it ends.
class store_turn {
 public:
  store_turn() = default;
  store_turn(store_turn const&) = delete;
  store_turn& operator=(store_turn const&) = delete;
  ~store_turn() {
    if (store_) store_->end(key);
  }

  std::string canonical{};
  store_key key{};

  // Whether the artifact is to be made, or else to be looked for again.
  bool begin(artifact_store& store, bool may_wait, std::stop_token const& stop) {
    if (store.begin(key, may_wait, stop) != artifact_store::turn::own) return false;
    store_ = &store;
    return true;
  }

 private:
  artifact_store* store_ = nullptr;
};

// ---- what a request is for ---------------------------------------------------------------------

template<class Cache, class Upstream = typename Cache::layer::upstream>
struct upstream_pointers;
template<class Cache, class... Upstream>
struct upstream_pointers<Cache, mp::mp_list<Upstream...>> {
  using type = std::conditional_t<Cache::cutoff, std::tuple<typename Upstream::artifact const*...>,
                                  std::tuple<>>;
};

template<class Cache>
struct stored_request {
  typename Cache::layer::input const& input;
  typename upstream_pointers<Cache>::type upstream;
  decltype(std::declval<typename Cache::key_type>().params) const& params;
  void const* checks;  // the key of the check_only members; null where the stage does not check
  request_context const& context;
  bool may_wait;
};

template<class Cache>
class stored_layer {
 public:
  stored_layer() = default;
  stored_layer(stored_layer const&) = delete;
  stored_layer& operator=(stored_layer const&) = delete;
  virtual ~stored_layer() = default;

  // What was stored, or the turn to make it.
  virtual std::optional<typename Cache::made_type> load(stored_request<Cache> const& asked,
                                                        store_turn& turn) const = 0;
  // Under the key of that turn. Says in `made` if it may not be saved.
  virtual void save(store_turn const& turn, typename Cache::made_type& made) const = 0;
};

// ---- whether a layer is stored -----------------------------------------------------------------

template<class Layer, class... Values>
consteval bool values_are_portable(mp::mp_list<Values...>) {
  using all = mp::mp_append<mp::mp_list<>, within<Values>...>;
  using offending = mp::mp_append<mp::mp_copy_if<all, is_process_bound>,
                                  mp::mp_copy_if<all, has_unknown_enumerators>>;
  if constexpr (!mp::mp_empty<offending>::value)
    return error::process_bound_input<Layer, mp::mp_front<offending>>();
  else
    return true;
}

template<class Layer>
concept is_not_stored = requires { Layer::not_stored.size(); };

template<class Cache>
struct parts_of_stored_key {
  using layer = typename Cache::layer;
  template<class L>
  using artifact_of = typename L::artifact;

  using input = std::conditional_t<std::is_same_v<typename Cache::input, no_input>, mp::mp_list<>,
                                   mp::mp_list<typename layer::input>>;
  using upstream =
      std::conditional_t<Cache::cutoff, mp::mp_transform<artifact_of, typename layer::upstream>,
                         mp::mp_list<>>;
  using values = mp::mp_append<input, upstream>;
};

// False also where that is an error.
template<class Cache>
consteval bool is_stored_layer() {
  using layer = typename Cache::layer;
  using artifact = typename layer::artifact;
  if constexpr (is_not_stored<layer> || process_bound<artifact>)
    return false;
  else if constexpr (!is_portable<artifact>)
    return error::neither_portable_nor_bound<layer, artifact>();
  else if constexpr (!key_is_storable<decltype(std::declval<typename Cache::key_type>().params)>())
    return false;
  else
    return values_are_portable<layer>(typename parts_of_stored_key<Cache>::values{});
}

// ---- what is kept ------------------------------------------------------------------------------

struct schema_as_text {
  std::string text;

  constexpr void put(unsigned char c) { text += static_cast<char>(c); }
};

template<class... T>
std::string kinds_as_text(mp::mp_list<T...>) {
  schema_as_text out;
  schema_writer<schema_as_text> writer(out);
  (writer.template kind<T>(), ...);
  return out.text;
}

// Says which code makes the artifacts of a layer: its stage, and what the layer says of its tools
// by `static std::string provenance()`.
template<class Traits>
void add_maker(std::string& all, artifact_store const& store) {
  using layer = typename Traits::layer;
  put_text(all, layer_name<layer>());
  schema_as_text version;
  schema_writer<schema_as_text> writer(version);
  write_version<layer>(writer);
  put_text(all, version.text);
  constexpr auto name = name_of<Traits::function>;
  put_text(all, store.code_identity(reinterpret_cast<void const*>(Traits::function),
                                    {name.data(), name.size()}));
  if constexpr (requires { layer::provenance(); }) put_text(all, layer::provenance());
}

inline void put_messages(std::string& out, shared_messages const& all) {
  put_number(out, all.size());
  for (auto const& each : all) {
    put_text(out, each->text);
    put_number(out, each->number);
  }
}

inline std::shared_ptr<message const> read_message(portable_reader& from) {
  std::string text(from.text());
  return std::make_shared<message const>(message{std::move(text), from.number()});
}

inline void put_check(std::string& out, check_result const& result) {
  put_number(out, result.failure.has_value(), 1);
  put_text(out, result.failure ? result.failure->text : std::string_view());
  put_number(out, result.messages.size());
  for (auto const& each : result.messages) put_text(out, each);
}

inline check_result read_check(portable_reader& from) {
  check_result result;
  bool const failed = from.number(1) != 0;
  auto const why = from.text();
  if (failed) result.failure = diagnostics{std::string(why)};
  for (auto left = from.count(); left != 0 && !from.failed(); --left)
    result.messages.emplace_back(from.text());
  return result;
}

// The layers whose costs an entry of this one names.
template<class... Layers>
type_id layer_of_name(std::string_view name, mp::mp_list<Layers...>) {
  type_id found = nullptr;
  ((layer_name<Layers>() == name ? void(found = id_of<Layers>) : void()), ...);
  return found;
}
template<class... Layers>
std::string name_of_layer(type_id layer, mp::mp_list<Layers...>) {
  std::string found;
  ((id_of<Layers> == layer ? void(found = layer_name<Layers>()) : void()), ...);
  return found;
}

constexpr std::uint64_t form_of_stored_entry = 1;

// `ChecksKey`: own_key<check_options, P>, or void where the stage does not check. `Validities`:
// types that entries may have inherited.
template<class Cache, class ChecksKey, class Validities>
class stored_layer_in final : public stored_layer<Cache> {
  using layer = typename Cache::layer;
  using artifact = typename layer::artifact;
  using made_type = typename Cache::made_type;
  using request = stored_request<Cache>;
  using parts = parts_of_stored_key<Cache>;

 public:
  stored_layer_in(artifact_store& store, std::string made_by)
      : store_(store),
        name_(layer_name<layer>()),
        kinds_(kinds_as_text(typename parts::values{})),
        made_by_(std::move(made_by)) {}

  std::optional<made_type> load(request const& asked, store_turn& turn) const override {
    turn.canonical = canonical_of(asked);
    turn.key = {name_,
                turn.canonical,
                made_by_,
                {portable<artifact>::kind.data(), portable<artifact>::kind.size()}};
    std::optional<made_type> loaded;
    auto const read = [&](std::string_view content) { return take(content, asked, loaded); };
    do {
      // Entries under other validity are passed over, and the last is written over.
      for (turn.key.variant = 0;; ++turn.key.variant) {
        auto const result = store_.load(turn.key, read);
        if (result == artifact_store::load_result::served) return loaded;
        if (result == artifact_store::load_result::missed) break;
        if (turn.key.variant + 1 == variants_) break;
      }
    } while (!turn.begin(store_, asked.may_wait, asked.context.stop) &&
             !asked.context.stop.stop_requested());
    return std::nullopt;
  }

  void save(store_turn const& turn, made_type& made) const override {
    if (!made.result || !made.keep) return;
    std::string content;
    put_number(content, form_of_stored_entry, 1);
    if (!made.record.depends_on.empty() || !made.record.validity.write(content)) {
      made.unsaved = true;
      return;
    }
    put_messages(content,
                 made.messages.empty() ? outcome_access::messages(made.result) : made.messages);
    put_number(content, made.record.costs.size());
    for (auto const& each : made.record.costs) {
      put_text(content, name_of_layer(each.layer, closure<layer>{}));
      put_number(content, static_cast<std::uint64_t>(each.spent.count()));
    }
    put_number(content, made.record.checks != nullptr, 1);
    if (made.record.checks) {
      put_text(content, checks_as_text(made.record.checks.get()));
      put_check(content, made.record.checked);
    }
    portable<artifact>::write(content, *made.result);
    store_.save(turn.key, content);
  }

 private:
  static constexpr unsigned variants_ = 8;

  std::string canonical_of(request const& asked) const {
    std::string out;
    auto const append = [&out](std::byte const* from, std::size_t size) {
      out.append(reinterpret_cast<char const*>(from), size);
    };
    encode(asked.params, append);
    put_text(out, kinds_);
    if constexpr (!mp::mp_empty<typename parts::input>::value) encode_value(asked.input, append);
    std::apply([&append](auto const*... each) { (encode_value(*each, append), ...); },
               asked.upstream);
    return out;
  }

  static std::string checks_as_text([[maybe_unused]] void const* key) {
    std::string out;
    if constexpr (!std::is_void_v<ChecksKey>)
      encode(*static_cast<ChecksKey const*>(key), [&out](std::byte const* from, std::size_t size) {
        out.append(reinterpret_cast<char const*>(from), size);
      });
    return out;
  }

  static load_verdict take(std::string_view content, request const& asked,
                           std::optional<made_type>& into) {
    into.reset();
    portable_reader from(content);
    if (from.number(1) != form_of_stored_entry) return load_verdict::not_readable;
    validity_set validity;
    validity.read(from, Validities{});
    shared_messages messages;
    for (auto left = from.count(); left != 0 && !from.failed(); --left)
      messages.push_back(read_message(from));
    std::vector<cost_of_layer> costs;
    std::chrono::nanoseconds cost{};
    for (auto left = from.count(); left != 0 && !from.failed(); --left) {
      auto const of = layer_of_name(from.text(), closure<layer>{});
      std::chrono::nanoseconds const spent{static_cast<std::int64_t>(from.number())};
      if (!of) continue;
      costs.push_back({of, spent});
      cost += spent;
    }
    bool const has_checks = from.number(1) != 0;
    std::string_view checks;
    check_result checked;
    if (has_checks) {
      checks = from.text();
      checked = read_check(from);
    }
    if (from.failed() || has_checks != (asked.checks != nullptr)) return load_verdict::not_readable;
    if (!validity.empty() && !validity.holds(asked.context)) return load_verdict::not_valid;
    if (has_checks && checks != checks_as_text(asked.checks)) return load_verdict::not_valid;

    auto made = portable<artifact>::read(from.rest());
    if (!made) return load_verdict::not_readable;
    into.emplace(made_type{outcome<artifact>(std::move(*made))});
    into->ran = false;
    into->loaded = true;
    into->cost = cost;
    into->messages = std::move(messages);
    into->record.validity = std::move(validity);
    into->record.costs = std::move(costs);
    if constexpr (!std::is_void_v<ChecksKey>)
      if (has_checks) {
        into->record.checks =
            std::make_shared<ChecksKey const>(*static_cast<ChecksKey const*>(asked.checks));
        into->record.checks_type = id_of<ChecksKey>;
        into->record.checked = std::move(checked);
      }
    return load_verdict::serves;
  }

  artifact_store& store_;
  std::string const name_;
  std::string const kinds_;
  std::string const made_by_;
};

}  // namespace detail
}  // namespace layerkey
