// A compiler of text with a store, for tests that run it as several processes or build it twice.
//
//   stored_compiler FOLDER shared|build SOURCE [LEVEL]
//
// Prints the artifact, then how often each stage ran. `shared`: builds that share a version share
// what they make; `build`: only this build finds it.
#include <layerkey/all.hpp>
#include <layerkey/store/lmdb_store.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace stored {

struct parse : layerkey::layer<> {
  static constexpr layerkey::text name = "parse";
  static constexpr int version = 3;
  using input = std::string;
  using artifact = std::string;
};
struct emit : layerkey::layer<parse> {
  static constexpr layerkey::text name = "emit";
  using input = std::string;
  using artifact = std::string;
};

enum class mode : unsigned char { debug, release = 7 };
struct target {
  std::string cpu = "generic";
  std::vector<std::string> features;

  static target layerkey_defaults() { return {}; }
  using layerkey_fields =
      layerkey::fields<layerkey::field<&target::cpu, layerkey::affects<emit>>,
                       layerkey::field<&target::features, layerkey::affects<emit>>>;
};

// Kinds of values that compilers lay out in their own ways.
struct params {
  bool strict = true;
  long level = 2;
  double ratio = 0.1;
  stored::mode mode = stored::mode::release;
  wchar_t separator = L'/';
  std::optional<int> limit;
  std::map<std::string, int> defines;
  stored::target target;
  int log = 0;

  static params layerkey_defaults() { return {}; }
  using layerkey_fields =
      layerkey::fields<layerkey::field<&params::strict, layerkey::affects<parse>>,
                       layerkey::field<&params::level, layerkey::affects<emit>>,
                       layerkey::field<&params::ratio, layerkey::affects<emit>>,
                       layerkey::field<&params::mode, layerkey::affects<parse>>,
                       layerkey::field<&params::separator, layerkey::affects<emit>>,
                       layerkey::field<&params::limit, layerkey::affects<emit>>,
                       layerkey::field<&params::defines, layerkey::affects<parse>>,
                       layerkey::field<&params::target, layerkey::per_member>,
                       layerkey::field<&params::log, layerkey::runtime_only>>;
};

// Slow enough that two processes that begin together meet.
layerkey::outcome<std::string> run_parse(std::string const& source,
                                         layerkey::view<parse, params> options) {
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  if (source == "wrong") return layerkey::diagnostics{"cannot parse it"};
  return {source + (options.get<&params::strict>() ? " strict" : ""), {"parsed " + source}};
}
std::string run_emit(std::string const&, std::string const& parsed,
                     layerkey::view<emit, params> options) {
  return parsed + " " + std::to_string(options.get<&params::level>());
}

using compiler =
    layerkey::pipeline<params, layerkey::stage<run_parse>, layerkey::stage<run_emit>>;

}  // namespace stored

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  stored::params p;
  p.limit = 4;
  p.defines = {{"NDEBUG", 1}, {"LEVEL", 2}};
  p.target.features = {"avx2", "fma"};
  if (argc > 4) p.level = std::atol(argv[4]);

  stored::compiler compiler{layerkey::lmdb_store{
      argv[1], std::string_view(argv[2]) == "build" ? layerkey::this_build()
                                                    : layerkey::provenance{{"stored", "1"}}}};
  auto const made = compiler.get<stored::emit>(argv[3], p);
  std::printf("%s\n", made ? made->c_str() : made.error().text.c_str());
  for (auto const& each : made.messages()) std::printf("%s\n", each.c_str());
  for (auto const& each : compiler.statistics())
    std::printf("%s %d\n", each.layer.c_str(), static_cast<int>(each.runs));
  return made ? 0 : 1;
}
