#include "options.hpp"

#include <layerkey/enumerators.hpp>
#include <layerkey/members.hpp>

#include <getopt.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <functional>
#include <map>
#include <string_view>
#include <thread>
#include <type_traits>

namespace multi_target {
namespace {

char const* const usage = R"(usage: layerkey-compile INPUT... --target NAME [options]

Compiles LLVM IR for several targets and levels. Each layer runs once for all that do not differ in it.

  INPUT                  .ll or .bc files
  --target NAME          an x86 CPU as -mcpu names it, "native", or sm_20 ... sm_90a; repeatable
  --features LIST        x86 features as -mattr takes them: +avx2,-sse4a
  -O0 -O1 -O2 -O3 -Os -Oz
                         levels; repeatable; -O2 if none
  --emit LIST            of obj, asm, ptx, bc; what fits a target is made for it
  --out DIR              where STEM.TARGET.LEVEL.o, .s, .ptx, .bc go; made if missing; . if none
  --libdevice FILE       bitcode that defines the device functions that kernels call (__nv_expf, ...)
  --explain              for each stage that ran: which members kept the nearest entry from serving
  --keys                 which member affects which layer
  --cache DIR            where artifacts are kept for later compiles; layerkey in $XDG_CACHE_HOME or in
                         ~/.cache if none
  --redis URL            and on a server that others use too: redis://[USER:PASSWORD@]HOST:PORT[/DB]; the
                         password may stand in $LAYERKEY_REDIS_PASSWORD. With $LAYERKEY_SECRET_FILE, a
                         file that its users share, only what they sign is used
  --no-cache             neither
  --cache-stats          what the cache did and holds, afterwards
  --cache-verify         reads all that the cache holds; fails if anything is wrong
  --cache-prune SIZE     what was not used for longest goes until the rest takes SIZE: 500M, 2G
  --shard I/N            only the I-th of N parts of the batch, which do not share layers that others
                         could: for machines that share a --redis server
  -j N                   threads; as many as processors if none; one with --explain
  --help, --version

Options of one target family; a truth value may stand alone, or be =true or =false:
)";

std::string option_name(std::string_view member) {
  std::string name(member);
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

// ---- members of the params as options ----------------------------------------------------------

// These have an option of another name.
bool has_own_option(std::string_view member) {
  return member == "level" || member == "cpu" || member == "sm" || member == "output" ||
         member == "libdevice";
}

template<class E>
std::string choices() {
  std::string all;
  for (auto const& [value, name] : layerkey::enumerators<E>()) {
    std::string shown(name);
    if (shown.ends_with('_')) shown.pop_back();
    all += (all.empty() ? "" : ", ") + option_name(shown);
  }
  return all;
}

// Sets the value from its text; returns what is possible where the text is none.
template<class T>
std::string assign(T& value, std::string_view text) {
  if constexpr (std::is_same_v<T, bool>) {
    if (text != "" && text != "true" && text != "false") return "true, false";
    value = text != "false";
  } else if constexpr (std::is_enum_v<T>) {
    for (auto const& [each, name] : layerkey::enumerators<T>()) {
      std::string shown(name);
      if (shown.ends_with('_')) shown.pop_back();
      if (text == shown || text == option_name(shown)) {
        value = each;
        return {};
      }
    }
    return choices<T>();
  } else if constexpr (std::is_integral_v<T>) {
    auto const [end, error] = std::from_chars(text.begin(), text.end(), value);
    if (error != std::errc{} || end != text.end()) return "a number";
  } else {
    if (!value.assign(text)) return "at most " + std::to_string(T::capacity()) + " characters";
  }
  return {};
}

template<class T>
std::string value_hint() {
  if constexpr (std::is_same_v<T, bool>)
    return "[=BOOL]";
  else if constexpr (std::is_enum_v<T>)
    return " " + choices<T>();
  else if constexpr (std::is_integral_v<T>)
    return " N";
  else
    return " TEXT";
}

struct member_option {
  bool takes_value = true;
  std::vector<std::function<std::string(options&, std::string_view)>> setters;
  std::string help;
};

using member_options = std::map<std::string, member_option>;

template<class P>
void add_members_of(member_options& all, P options::* params, char const* family) {
  layerkey::for_each_member<P>([&](auto member) {
    using info = decltype(member);
    using type = typename info::type;
    if constexpr (!std::is_same_v<type, layerkey::content_digest>) {
      if (has_own_option(info::name())) return;
      auto& option = all[option_name(info::name())];
      option.takes_value = !std::is_same_v<type, bool>;
      option.help = "--" + option_name(info::name()) + value_hint<type>();
      option.help += option.setters.empty() ? std::string("   (") + family : "   (x86, ptx";
      option.help += info::is_runtime_only ? "; in no key)" : ")";
      option.setters.push_back([params](options& into, std::string_view text) {
        type value = info::get(into.*params);
        auto possible = assign(value, text);
        if (possible.empty()) info::set(into.*params, value);
        return possible;
      });
    }
  });
}

member_options all_member_options() {
  member_options all;
  add_members_of(all, &options::x86, "x86");
  add_members_of(all, &options::ptx, "ptx");
  return all;
}

// ---- values of the program's own options -------------------------------------------------------

// A level that LLVM lacks fails by itself, as a CPU that it lacks does; the others are still made.
void add_level(options& into, std::string const& text) {
  for (auto const& [level, name] : layerkey::enumerators<layerkey::optimization_level>())
    if (name.substr(1) == text) {
      if (std::find(into.levels.begin(), into.levels.end(), level) == into.levels.end())
        into.levels.push_back(level);
      return;
    }
  into.unknown_levels.push_back("-O" + text);
}

std::string assign_kinds(options& into, std::string_view list) {
  static std::map<std::string_view, output_kind> const kinds{{"obj", output_kind::obj},
                                                             {"asm", output_kind::asm_},
                                                             {"ptx", output_kind::ptx},
                                                             {"bc", output_kind::bc}};
  while (!list.empty()) {
    auto const comma = std::min(list.find(','), list.size());
    auto const found = kinds.find(list.substr(0, comma));
    if (found == kinds.end()) return "obj, asm, ptx, bc";
    into.emit.insert(found->second);
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return into.emit.empty() ? "obj, asm, ptx, bc" : "";
}

// "2G" as a number of bytes.
std::optional<std::uint64_t> size_of(std::string_view text) {
  std::uint64_t size = 0;
  auto const [end, error] = std::from_chars(text.begin(), text.end(), size);
  if (error != std::errc{}) return std::nullopt;
  std::string_view const unit(end, static_cast<std::size_t>(text.end() - end));
  constexpr std::string_view units = "KMGT";
  if (unit.empty()) return size;
  auto const at = units.find(unit[0]);
  if (unit.size() != 1 || at == units.npos) return std::nullopt;
  auto const shift = 10 * (at + 1);
  if (size > UINT64_MAX >> shift) return std::nullopt;
  return size << shift;
}

// "2/8"
bool assign_shard(options& into, std::string_view text) {
  auto const slash = text.find('/');
  return slash != text.npos && assign(into.shard, text.substr(0, slash)).empty() &&
         assign(into.shards, text.substr(slash + 1)).empty() && into.shard >= 1 &&
         into.shard <= into.shards;
}

int wrong_usage(std::string const& what) {
  std::fprintf(stderr, "layerkey-compile: %s; see layerkey-compile --help\n", what.c_str());
  return 2;
}

enum own_option {
  o_target = 256,
  o_emit,
  o_out,
  o_libdevice,
  o_explain,
  o_keys,
  o_cache,
  o_redis,
  o_no_cache,
  o_cache_stats,
  o_cache_verify,
  o_cache_prune,
  o_shard,
  o_help,
  o_version,
  first_member
};

}  // namespace

std::optional<options> parse(int argc, char** argv, int& status) {
  auto const members = all_member_options();
  std::vector<option> table{{"target", required_argument, nullptr, o_target},
                            {"emit", required_argument, nullptr, o_emit},
                            {"out", required_argument, nullptr, o_out},
                            {"libdevice", required_argument, nullptr, o_libdevice},
                            {"explain", no_argument, nullptr, o_explain},
                            {"keys", no_argument, nullptr, o_keys},
                            {"cache", required_argument, nullptr, o_cache},
                            {"redis", required_argument, nullptr, o_redis},
                            {"no-cache", no_argument, nullptr, o_no_cache},
                            {"cache-stats", no_argument, nullptr, o_cache_stats},
                            {"cache-verify", no_argument, nullptr, o_cache_verify},
                            {"cache-prune", required_argument, nullptr, o_cache_prune},
                            {"shard", required_argument, nullptr, o_shard},
                            {"help", no_argument, nullptr, o_help},
                            {"version", no_argument, nullptr, o_version}};
  std::vector<member_options::const_iterator> by_number;
  for (auto each = members.begin(); each != members.end(); ++each) {
    table.push_back({each->first.c_str(),
                     each->second.takes_value ? required_argument : optional_argument, nullptr,
                     first_member + static_cast<int>(by_number.size())});
    by_number.push_back(each);
  }
  table.push_back({nullptr, 0, nullptr, 0});

  options parsed;
  parsed.jobs = std::max(1U, std::thread::hardware_concurrency());
  opterr = 0;
  optind = 1;
  status = 0;
  // A wrong value is reported with the option as it was typed.
  std::string possible;
  std::string typed;
  for (int c; (c = getopt_long(argc, argv, ":O:j:", table.data(), nullptr)) != -1;) {
    std::string const value = optarg ? optarg : "";
    switch (c) {
      case 'O':
        add_level(parsed, value);
        break;
      case 'j': {
        typed = "-j ";
        possible = assign(parsed.jobs, value);
        if (possible.empty() && (parsed.jobs == 0 || parsed.jobs > 256)) possible = "1 to 256";
        break;
      }
      case o_target: {
        if (value.empty()) possible = "the name of a CPU, or sm_20 ... sm_90a", typed = "--target ";
        if (std::find(parsed.targets.begin(), parsed.targets.end(), value) == parsed.targets.end())
          parsed.targets.push_back(value);
        break;
      }
      case o_emit:
        typed = "--emit ", possible = assign_kinds(parsed, value);
        break;
      case o_out:
        parsed.out = value;
        break;
      case o_libdevice:
        parsed.libdevice = value;
        break;
      case o_explain:
        parsed.explain = true;
        break;
      case o_keys:
        parsed.keys = true;
        break;
      case o_cache:
        if (value.empty()) typed = "--cache ", possible = "the name of a folder";
        parsed.cache = value;
        break;
      case o_redis:
        parsed.redis = value;
        break;
      case o_no_cache:
        parsed.no_cache = true;
        break;
      case o_cache_stats:
        parsed.cache_stats = true;
        break;
      case o_cache_verify:
        parsed.cache_verify = true;
        break;
      case o_cache_prune:
        parsed.cache_prune = size_of(value);
        if (!parsed.cache_prune)
          typed = "--cache-prune ", possible = "a number of bytes, or one of K, M, G, T behind it";
        break;
      case o_shard:
        if (!assign_shard(parsed, value))
          typed = "--shard ", possible = "I/N with I from 1 to N, such as 2/8";
        break;
      case o_help: {
        std::fputs(usage, stdout);
        for (auto const& [name, member] : members) std::printf("  %s\n", member.help.c_str());
        return {};
      }
      case o_version:
        std::puts("layerkey-compile " LAYERKEY_VERSION);
        return {};
      case ':':
        status = wrong_usage(std::string(argv[optind - 1]) + " needs a value");
        return {};
      case '?':
        status = wrong_usage("unknown option " + (optopt > 0 && optopt < 256
                                                      ? std::string("-") + static_cast<char>(optopt)
                                                      : std::string(argv[optind - 1])));
        return {};
      default: {
        auto const& member = *by_number[static_cast<std::size_t>(c - first_member)];
        typed = "--" + member.first + "=";
        for (auto const& set : member.second.setters)
          if (possible.empty()) possible = set(parsed, value);
      }
    }
    if (!possible.empty()) {
      status = wrong_usage(typed + value + " is not possible; possible: " + possible);
      return {};
    }
  }
  parsed.inputs.assign(argv + optind, argv + argc);
  if (parsed.no_cache &&
      (!parsed.cache.empty() || !parsed.redis.empty() || parsed.asks_about_cache())) {
    status = wrong_usage("--no-cache and an option about the cache");
    return {};
  }
  if ((parsed.keys || parsed.asks_about_cache()) && parsed.inputs.empty()) return parsed;
  if (parsed.inputs.empty())
    status = wrong_usage("no input files");
  else if (parsed.targets.empty())
    status = wrong_usage("no --target");
  if (status != 0) return {};
  if (parsed.levels.empty() && parsed.unknown_levels.empty())
    parsed.levels.push_back(layerkey::optimization_level::O2);
  if (parsed.explain) parsed.jobs = 1;
  return parsed;
}

}  // namespace multi_target
