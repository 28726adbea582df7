// Unusual structs whose descriptions are complete.
#include <layerkey/layerkey.hpp>
#include <layerkey/values/optional.hpp>
#include <layerkey/values/sequences.hpp>

#include <any>
#include <atomic>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <variant>

namespace completeness {

using layerkey::accessor, layerkey::affects, layerkey::complete, layerkey::field, layerkey::fields,
    layerkey::runtime_only;

struct stage : layerkey::layer<> {};
struct later : layerkey::layer<stage> {};

// ---- members of every kind ---------------------------------------------------------------------

struct greedy {
  template<class T>
  greedy(T&&) {}
};

struct immovable {
  immovable() = default;
  immovable(immovable const&) = delete;
  immovable& operator=(immovable const&) = delete;
};

struct no_default {
  explicit no_default(int) {}
};

struct sneaky {
  int value = 0;
  sneaky* operator&() = delete;
};

struct empty {};

struct anything {
  std::any any;
  std::mutex mutex;
  std::function<void(int)> function;
  std::unique_ptr<int> owned;
  std::shared_ptr<void> counted;
  std::atomic<int> atomic;
  std::span<int const> span;
  std::thread thread;
  std::map<std::string, std::string> map;
  std::variant<int, std::string> variant;
  std::filesystem::path path;
  std::optional<std::any> maybe_any;
  std::initializer_list<int> list;
  std::reference_wrapper<int> wrapped;
  std::array<int*, 3> pointers;
  immovable rock;
  greedy takes_all;
  no_default explicit_only;
  sneaky no_address;
  [[no_unique_address]] empty nothing;
  int const constant;
  int volatile device;
  void (*callback)(int);
  int anything::* member;
  char c;
  int number;

  using layerkey_fields =
      fields<field<&anything::any, runtime_only>, field<&anything::mutex, runtime_only>,
             field<&anything::function, runtime_only>, field<&anything::owned, runtime_only>,
             field<&anything::counted, runtime_only>, field<&anything::atomic, runtime_only>,
             field<&anything::span, runtime_only>, field<&anything::thread, runtime_only>,
             field<&anything::map, runtime_only>, field<&anything::variant, runtime_only>,
             field<&anything::path, runtime_only>, field<&anything::maybe_any, runtime_only>,
             field<&anything::list, runtime_only>, field<&anything::wrapped, runtime_only>,
             field<&anything::pointers, runtime_only>, field<&anything::rock, runtime_only>,
             field<&anything::takes_all, runtime_only>,
             field<&anything::explicit_only, runtime_only>,
             field<&anything::no_address, runtime_only>, field<&anything::nothing, runtime_only>,
             field<&anything::constant, affects<stage>>, field<&anything::device, runtime_only>,
             field<&anything::callback, runtime_only>, field<&anything::member, runtime_only>,
             field<&anything::c, affects<stage>>, field<&anything::number, affects<later>>>;
};
static_assert(complete<anything>);

// The same with each of the greedy ones in front, where a base would be.
template<class First>
struct first {
  First value;
  int number = 0;
  using layerkey_fields =
      fields<field<&first::value, runtime_only>, field<&first::number, affects<stage>>>;
};
static_assert(complete<first<std::any>>);
static_assert(complete<first<greedy>>);
static_assert(complete<first<std::function<void()>>>);
static_assert(complete<first<std::optional<std::any>>>);
static_assert(complete<first<std::variant<std::any, int>>>);
static_assert(complete<first<immovable>>);
static_assert(complete<first<no_default>>);
static_assert(complete<first<std::string>>);
static_assert(complete<first<std::vector<std::vector<int>>>>);
static_assert(complete<first<empty>>);

// ---- few members -------------------------------------------------------------------------------

struct none {
  using layerkey_fields = fields<>;
};
static_assert(complete<none>);
static_assert(layerkey::same_key<later>(none{}, none{}));

struct functions_only {
  static inline int count = 0;
  enum class kind { a, b };
  int f() const { return 0; }
  using layerkey_fields = fields<>;
};
static_assert(complete<functions_only>, "static members and functions are no members");

struct single {
  int v = 0;
  using layerkey_fields = fields<field<&single::v, affects<stage>>>;
};
static_assert(complete<single>);

struct single_nested {
  single v;
  using layerkey_fields = fields<field<&single_nested::v, layerkey::per_member>>;
};
static_assert(complete<single_nested>);

// ---- templates, unnamed namespaces, local structs ----------------------------------------------

template<class T, class Layer, int Default>
struct of_type {
  T value = Default;
  bool flag = false;
  using layerkey_fields =
      fields<field<&of_type::value, affects<Layer>>, field<&of_type::flag, affects<stage>>>;
};
static_assert(complete<of_type<int, stage, 3>>);
static_assert(complete<of_type<double, later, 4>>);
static_assert(!layerkey::same_key<later>(of_type<int, later, 1>{}, of_type<int, later, 1>{2}));
static_assert(layerkey::same_key<stage>(of_type<int, later, 1>{}, of_type<int, later, 1>{2}));

struct holds_template {
  of_type<int, stage, 1> a;
  of_type<long, stage, 2> b;
  using layerkey_fields = fields<field<&holds_template::a, layerkey::per_member>,
                                 field<&holds_template::b, layerkey::per_member>>;
};
static_assert(complete<holds_template>);

namespace {
struct unseen {
  int v = 0;
  using layerkey_fields = fields<field<&unseen::v, affects<stage>>>;
};
static_assert(complete<unseen>);
static_assert(!layerkey::same_key<stage>(unseen{1}, unseen{2}));
}  // namespace

consteval bool local_structs_work() {
  struct local {
    int v = 0;
    using layerkey_fields = fields<field<&local::v, affects<stage>>>;
  };
  static_assert(complete<local>);
  return !layerkey::same_key<stage>(local{1}, local{2});
}
static_assert(local_structs_work());

// The tags of a member in any order, and aliases of them.
using affects_stage = affects<stage>;
constexpr bool odd(int i) { return i % 2 != 0; }
struct any_order {
  bool on = false;
  int v = 0;
  using layerkey_fields = fields<field<&any_order::v, layerkey::only_if<&any_order::on>,
                                       affects<later>, affects_stage::as<odd>>,
                                 field<&any_order::on, affects<later>, affects_stage>>;
};
static_assert(complete<any_order>, "the list need not be in the order of the members");

// ---- bit-fields --------------------------------------------------------------------------------

struct bits {
  unsigned a : 3 = 0;
  bool b : 1 = false;
  int c = 0;

  constexpr unsigned get_a() const { return a; }
  constexpr void set_a(unsigned v) { a = v & 7u; }
  static constexpr bool get_b(bits const& p) { return p.b; }

  using layerkey_fields =
      fields<field<accessor<&bits::get_a, &bits::set_a>, affects<stage>>,
             field<accessor<bits::get_b>, affects<later>>, field<&bits::c, affects<stage>>>;
};
static_assert(complete<bits>);
static_assert(!layerkey::same_key<stage>(bits{.a = 1}, bits{.a = 2}));
static_assert(layerkey::same_key<stage>(bits{.b = true}, bits{.b = false}));
static_assert(!layerkey::same_key<later>(bits{.b = true}, bits{.b = false}));

// A struct of someone else's, described beside it.
struct foreign {
  unsigned optimise : 1 = 0;
  unsigned level : 4 = 2;
  int* log = nullptr;
};
constexpr bool optimise(foreign const& p) noexcept { return p.optimise; }
constexpr unsigned level(foreign const& p) { return p.level; }
constexpr void set_level(foreign& p, unsigned v) { p.level = v & 15u; }

}  // namespace completeness

template<>
struct layerkey::describe<completeness::foreign> {
  using foreign = completeness::foreign;
  using fields = layerkey::fields<
      field<accessor<completeness::optimise>, affects<completeness::stage>>,
      field<accessor<completeness::level, completeness::set_level>, affects<completeness::later>>,
      field<&foreign::log, runtime_only>>;
};

namespace completeness {

static_assert(complete<foreign>);
static_assert(!layerkey::same_key<stage>(foreign{.optimise = 1}, foreign{.optimise = 0}));
static_assert(!layerkey::same_key<later>(foreign{.level = 1}, foreign{.level = 2}));
static_assert(layerkey::same_key<stage>(foreign{.level = 1}, foreign{.level = 2}));

// ---- no aggregates -----------------------------------------------------------------------------

class guarded {
 public:
  constexpr explicit guarded(int level) : level_(level) {}
  constexpr int level() const { return level_; }
  static constexpr layerkey::text layerkey_uncounted = "level_ is the only member";
  using layerkey_fields = fields<field<accessor<&guarded::level>, affects<stage>>>;

 private:
  int level_;
};
static_assert(complete<guarded>);
static_assert(!layerkey::same_key<stage>(guarded(1), guarded(2)));

class foreign_class {
 public:
  constexpr explicit foreign_class(bool v) : verbose(v) {}
  bool verbose;
};

}  // namespace completeness

template<>
struct layerkey::describe<completeness::foreign_class> {
  static constexpr text uncounted = "has a constructor";
  using fields =
      layerkey::fields<field<&completeness::foreign_class::verbose, affects<completeness::stage>>>;
};

namespace completeness {

static_assert(complete<foreign_class>);
static_assert(!layerkey::same_key<stage>(foreign_class(true), foreign_class(false)));

// ---- names -------------------------------------------------------------------------------------

consteval bool same_name(layerkey::text<5> a, layerkey::text<5> b) {
  return layerkey::detail::same_member({a.data(), a.size()}, {b.data(), b.size()});
}
static_assert(same_name("level", "level"));
static_assert(same_name("level", "Level"), "getLevel reads level");
static_assert(!same_name("level", "lever"));

// What people put around a name does not count.
template<std::size_t N>
consteval bool names_level(layerkey::text<N> name) {
  return layerkey::detail::same_member({name.data(), name.size()}, {"level", 5});
}
static_assert(names_level(layerkey::text{"get_level"}));
static_assert(names_level(layerkey::text{"getLevel"}));
static_assert(names_level(layerkey::text{"level_"}));
static_assert(names_level(layerkey::text{"m_level"}));
static_assert(names_level(layerkey::text{"_level"}));
static_assert(!names_level(layerkey::text{"set_level"}));
static_assert(!names_level(layerkey::text{"levels"}));
static_assert(!names_level(layerkey::text{"_"}));

#ifdef __clang__

// A class whose members cannot be counted: clang compares the names.
class opaque {
 public:
  constexpr opaque() = default;
  constexpr int level() const { return level_; }
  constexpr unsigned get_mask() const { return mask; }
  constexpr unsigned invented() const { return 0; }
  bool shown = false;

 private:
  int level_ = 0;
  unsigned mask : 3 = 0;
};

using level_field = field<accessor<&opaque::level>, affects<stage>>;
using mask_field = field<accessor<&opaque::get_mask>, affects<stage>>;
using shown_field = field<&opaque::shown, affects<stage>>;
using invented_field = field<accessor<&opaque::invented>, affects<stage>>;

static_assert(layerkey::detail::can_be_looked_into<opaque>);
template<class... Fields>
constexpr auto faults = layerkey::detail::compare_names<opaque>(boost::mp11::mp_list<Fields...>{});

static_assert(faults<level_field, mask_field, shown_field>.missing_count == 0);
static_assert(faults<level_field, mask_field, shown_field>.invented == layerkey::detail::none);
static_assert(faults<level_field, shown_field>.missing_count == 1);
static_assert(
    layerkey::detail::real_name<opaque, faults<level_field, shown_field>.missing[0]>().size() == 4,
    "mask");
static_assert(faults<level_field, mask_field, shown_field, invented_field>.invented == 3);
static_assert(faults<level_field, invented_field, shown_field>.missing_count == 1,
              "the number alone would be right");

struct no_default_made {
  constexpr explicit no_default_made(int v) : value(v) {}
  int value;
};
static_assert(!layerkey::detail::can_be_looked_into<no_default_made>,
              "where no constant can be made the reason in layerkey_uncounted has to do");

#endif

}  // namespace completeness
