// A stage that asks for an artifact of a layer downstream with its own params.
// expect: a_stage_requests_upstream_of_itself<irgen, codegen>
#include <layerkey/cache/pipeline.hpp>
#include <layerkey/values/text.hpp>

#include <string>

struct irgen : layerkey::layer<> {
  static constexpr layerkey::text name = "irgen";
  using input = std::string;
  using artifact = std::string;
};
struct codegen : layerkey::layer<irgen> {
  static constexpr layerkey::text name = "codegen";
  using input = std::string;
  using artifact = std::string;
};

struct options {
  int level = 0;
  int sm = 90;
  bool validate = false;
  using layerkey_fields =
      layerkey::fields<layerkey::field<&options::level, layerkey::affects<irgen>>,
                       layerkey::field<&options::sm, layerkey::affects<codegen>>,
                       layerkey::field<&options::validate, layerkey::check_only>>;
};

std::string lower(std::string const& f, layerkey::view<irgen, options> in,
                  layerkey::requester<irgen> ask) {
#ifdef SHOW_ERROR
  static_cast<void>(in);
  return *ask.get<codegen>(f);
#else
  return *ask.get<codegen>(f, options{.level = in.get<&options::level>()});
#endif
}
std::string emit(std::string const&, std::string const&, layerkey::view<codegen, options>);

using compiler = layerkey::pipeline<options, layerkey::stage<lower>, layerkey::stage<emit>>;

void compile(compiler& c) { static_cast<void>(c.get<codegen>("f", options{})); }
