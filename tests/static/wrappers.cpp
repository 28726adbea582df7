// The key of a layer does not depend on the struct around what the layer reads.
#include <layerkey/layerkey.hpp>

#include <type_traits>

namespace wrappers {

using layerkey::affects, layerkey::field, layerkey::fields, layerkey::per_member;

struct inference : layerkey::layer<> {};
struct irgen : layerkey::layer<inference> {};
struct codegen : layerkey::layer<irgen> {};

struct config {
  bool inlining = true;
  int level = 2;
  int architecture = 90;

  using layerkey_fields =
      fields<field<&config::inlining, affects<inference>>, field<&config::level, affects<irgen>>,
             field<&config::architecture, affects<codegen>>>;
};
static_assert(layerkey::complete<config>);

template<class Layer, class A, class B>
constexpr bool shares = std::is_same_v<layerkey::own_key<Layer, A>, layerkey::own_key<Layer, B>>;

// ---- one struct in several places --------------------------------------------------------------

struct job {
  config options;
  using layerkey_fields = fields<field<&job::options, per_member>>;
};
static_assert(shares<inference, config, job>);
static_assert(shares<codegen, config, job>);
static_assert(std::is_same_v<layerkey::key<codegen, config>, layerkey::key<codegen, job>>);

struct renamed_and_moved {
  void* log = nullptr;
  bool verify = true;
  config compiler;
  using layerkey_fields = fields<field<&renamed_and_moved::log, layerkey::runtime_only>,
                                 field<&renamed_and_moved::verify, layerkey::check_only>,
                                 field<&renamed_and_moved::compiler, per_member>>;
};
static_assert(
    std::is_same_v<layerkey::key<codegen, config>, layerkey::key<codegen, renamed_and_moved>>);

struct deeper {
  job inner;
  using layerkey_fields = fields<field<&deeper::inner, per_member>>;
};
static_assert(shares<irgen, config, deeper>, "two levels deep");

// The keys are equal as values too, not only of one type.
constexpr config fast{.level = 3};
static_assert(layerkey::make_key<codegen>(fast) == layerkey::make_key<codegen>(job{fast}));
static_assert(layerkey::make_key<codegen>(fast) == layerkey::make_key<codegen>(deeper{job{fast}}));
static_assert(layerkey::make_key<codegen>(fast).hash() ==
              layerkey::make_key<codegen>(renamed_and_moved{.compiler = fast}).hash());
static_assert(layerkey::make_key<codegen>(fast) != layerkey::make_key<codegen>(job{}));
static_assert(layerkey::key_equal<codegen>{}(fast, deeper{job{fast}}), "tables compare them too");

// ---- more members, in other layers -------------------------------------------------------------

struct differentiating {
  config options;
  int derivative = 1;
  using layerkey_fields = fields<field<&differentiating::options, per_member>,
                                 field<&differentiating::derivative, affects<irgen>>>;
};
static_assert(shares<inference, config, differentiating>);
static_assert(shares<codegen, config, differentiating>, "the rule is one for each own key");
static_assert(!shares<irgen, config, differentiating>, "a member more in the layer");
static_assert(
    !std::is_same_v<layerkey::key<codegen, config>, layerkey::key<codegen, differentiating>>);

// A second struct that contributes to another layer only.
struct loader {
  int mode = 0;
  using layerkey_fields = fields<field<&loader::mode, affects<codegen>>>;
};
struct two_structs {
  config options;
  loader loading;
  using layerkey_fields =
      fields<field<&two_structs::options, per_member>, field<&two_structs::loading, per_member>>;
};
static_assert(shares<irgen, config, two_structs>);
static_assert(!shares<codegen, config, two_structs>, "both contribute");

// A described struct without members in the layer does not stand in the way.
struct silent {
  int log_level = 0;
  using layerkey_fields = fields<field<&silent::log_level, layerkey::runtime_only>>;
};
struct beside_silent {
  silent logging;
  config options;
  using layerkey_fields = fields<field<&beside_silent::logging, per_member>,
                                 field<&beside_silent::options, per_member>>;
};
static_assert(shares<codegen, config, beside_silent>);

// ---- what is not the same ----------------------------------------------------------------------

struct twins {
  config host;
  config device;
  using layerkey_fields =
      fields<field<&twins::host, per_member>, field<&twins::device, per_member>>;
};
static_assert(!shares<irgen, config, twins>, "two copies are two values");
static_assert(!layerkey::same_key<irgen>(twins{.host = fast, .device = {}},
                                         twins{.host = {}, .device = fast}));

struct look_alike {
  bool inlining = true;
  int level = 2;
  int architecture = 90;
  using layerkey_fields = fields<field<&look_alike::inlining, affects<inference>>,
                                 field<&look_alike::level, affects<irgen>>,
                                 field<&look_alike::architecture, affects<codegen>>>;
};
static_assert(!shares<irgen, config, look_alike>, "equal names make no equal struct");

struct unrelated {
  int nothing_here = 0;
  using layerkey_fields = fields<field<&unrelated::nothing_here, affects<inference>>>;
};
static_assert(shares<codegen, unrelated, silent>, "a layer that reads nothing reads nothing alike");
static_assert(std::is_same_v<layerkey::normal_params<codegen, job>, config>);
static_assert(std::is_same_v<layerkey::normal_params<codegen, deeper>, config>);
static_assert(std::is_same_v<layerkey::normal_params<codegen, twins>, twins>);
static_assert(
    std::is_same_v<layerkey::normal_params<codegen, unrelated>, layerkey::nothing<codegen>>);

// The same through an accessor that gives a reference.
class hidden {
 public:
  constexpr hidden() = default;
  constexpr explicit hidden(config c) : options_(c) {}
  constexpr config const& options() const { return options_; }
  static constexpr layerkey::text layerkey_uncounted = "options_ is private";
  using layerkey_fields = fields<field<layerkey::accessor<&hidden::options>, per_member>>;

 private:
  config options_;
};
static_assert(shares<irgen, config, hidden>);
static_assert(layerkey::make_key<codegen>(hidden(fast)) == layerkey::make_key<codegen>(fast));

}  // namespace wrappers
