// An input that no key can hold.
#include <layerkey/cache/pipeline.hpp>

#include <string>

struct source {
  source() = default;
  char const* path = nullptr;
};

#ifndef SHOW_ERROR
template<>
struct layerkey::value<source> {
  static constexpr layerkey::text kind = "source/1";
  template<class Sink>
  static constexpr void write(Sink& sink, source const& s) {
    for (char const* each = s.path; *each != '\0'; ++each) layerkey::write(sink, *each);
    layerkey::write(sink, '\0');
  }
};
#endif

struct codegen : layerkey::layer<> {
  static constexpr layerkey::text name = "codegen";
  using input = source;
  using artifact = std::string;
};

struct options {
  int sm = 90;
  using layerkey_fields =
      layerkey::fields<layerkey::field<&options::sm, layerkey::affects<codegen>>>;
};

std::string emit(source const&, layerkey::view<codegen, options>);

using compiler = layerkey::pipeline<options, layerkey::stage<emit>>;

void compile(compiler& c) { static_cast<void>(c.get<codegen>(source{}, options{})); }
// expect: the_content_can_be_keyed<codegen, source>
// expect: static assertion failed.*layerkey: the input and, under early_cutoff
