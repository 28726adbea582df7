// narrowed: the struct's constant defaults, with the members of one layer copied in.
#include <layerkey/layerkey.hpp>

namespace narrowing {

using layerkey::affects, layerkey::field, layerkey::fields, layerkey::narrowed;

struct front : layerkey::layer<> {};
struct back : layerkey::layer<front> {};

enum class mode { forward, reverse, split };
constexpr bool is_forward(mode m) { return m == mode::forward; }
constexpr mode some_mode(bool forward) { return forward ? mode::forward : mode::split; }
constexpr int even(int i) { return i & ~1; }

struct target {
  int sm = 80;
  int ptx = 70;
  using layerkey_fields =
      fields<field<&target::sm, affects<back>>, field<&target::ptx, affects<front>>>;
};

struct params {
  mode direction = mode::reverse;
  int level = 2;
  int rounded = 0;
  bool lines = true;
  bool verify = true;
  int const* log = nullptr;
  target device = {.sm = 90, .ptx = 83};
  unsigned alignment : 5 = 3;

  constexpr unsigned get_alignment() const { return alignment; }
  constexpr void set_alignment(unsigned v) { alignment = v & 31u; }

  using layerkey_fields = fields<
      field<&params::direction, affects<front>::as<is_forward>::represented_by<some_mode>>,
      field<&params::level, affects<back>>,
      field<&params::rounded, affects<back>, layerkey::canonical<even>>,
      field<&params::lines, affects<back>, layerkey::only_if<&params::level>>,
      field<&params::verify, layerkey::check_only>, field<&params::log, layerkey::runtime_only>,
      field<&params::device, layerkey::per_member>,
      field<layerkey::accessor<&params::get_alignment, &params::set_alignment>, affects<back>>>;
};
static_assert(layerkey::complete<params>);

constexpr int somewhere = 0;
constexpr params given{.direction = mode::split,
                       .level = 0,
                       .rounded = 7,
                       .lines = false,
                       .verify = false,
                       .log = &somewhere,
                       .device = {.sm = 70, .ptx = 60},
                       .alignment = 9};

// ---- the members of the layer ------------------------------------------------------------------

constexpr narrowed<back, params> in_back(given);
static_assert(in_back->level == 0);
static_assert(in_back->rounded == 6, "in their canonical form");
static_assert(in_back->lines, "inactive: the initialiser");
static_assert(in_back->device.sm == 70, "through per_member");
static_assert(in_back->alignment == 9, "through an accessor that sets");
static_assert((*in_back).level == 0);
static_assert(&*in_back == in_back.operator->());

// ---- everything else keeps its default ---------------------------------------------------------

static_assert(in_back->direction == mode::reverse, "keyed by another layer");
static_assert(in_back->device.ptx == 83, "as the outer struct initialises it");
static_assert(in_back->verify);
static_assert(in_back->log == nullptr);

constexpr narrowed<front, params> in_front(given);
static_assert(in_front->level == 2, "also what a downstream layer keys");
static_assert(in_front->device.ptx == 60);
static_assert(in_front->device.sm == 90);

// ---- a projection needs a section --------------------------------------------------------------

static_assert(in_front->direction == mode::split);
constexpr params reverse{.direction = mode::reverse};
constexpr params forward{.direction = mode::forward};
static_assert(narrowed<front, params>(reverse)->direction == mode::split,
              "one representative for all that project alike");
static_assert(narrowed<front, params>(forward)->direction == mode::forward);

// Two params with equal own keys narrow to equal structs.
constexpr params other{
    .level = 0, .rounded = 6, .lines = true, .device = {.sm = 70}, .alignment = 9};
static_assert(layerkey::make_own_key<back>(given) == layerkey::make_own_key<back>(other));
static_assert(narrowed<back, params>(other)->rounded == in_back->rounded);
static_assert(narrowed<back, params>(other)->lines == in_back->lines);

// ---- defaults that are no constants ------------------------------------------------------------

inline int detected = 75;
struct computed {
  int architecture = detected;
  int level = 0;
  static constexpr computed layerkey_defaults() { return {.architecture = 50, .level = 1}; }
  using layerkey_fields = fields<field<&computed::architecture, affects<front>>,
                                 field<&computed::level, affects<back>>>;
};
constexpr computed fixed{.architecture = 90, .level = 3};
static_assert(narrowed<back, computed>(fixed)->architecture == 50, "not what was detected");
static_assert(narrowed<back, computed>(fixed)->level == 3);

// ---- a layer that reads nothing ----------------------------------------------------------------

struct unread : layerkey::layer<> {};
static_assert(narrowed<unread, params>(given)->level == 2);
static_assert(std::is_constructible_v<narrowed<unread, layerkey::nothing<unread>>,
                                      layerkey::nothing<unread> const&>);

}  // namespace narrowing
