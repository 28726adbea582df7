// Durations and points in time in keys: the count, in the unit of their type.
#pragma once

#include <layerkey/value.hpp>

#include <chrono>

namespace layerkey {

template<detail::word_like Count, class Period>
struct value<std::chrono::duration<Count, Period>> : value<Count> {
  template<class Sink>
  static constexpr void write(Sink& sink, std::chrono::duration<Count, Period> v) {
    value<Count>::write(sink, v.count());
  }

  template<class Printer>
  static void print(Printer& to, std::chrono::duration<Count, Period> v) {
    to.value(v.count());
    if constexpr (Period::num != 1 || Period::den != 1) {
      to.text(" x ");
      to.value(Period::num);
      to.text("/");
      to.value(Period::den);
    }
    to.text(" s");
  }
};

template<class Clock, detail::keyable Duration>
struct value<std::chrono::time_point<Clock, Duration>> : value<Duration> {
  template<class Sink>
  static constexpr void write(Sink& sink, std::chrono::time_point<Clock, Duration> v) {
    value<Duration>::write(sink, v.time_since_epoch());
  }

  template<class Printer>
  static void print(Printer& to, std::chrono::time_point<Clock, Duration> v) {
    to.value(v.time_since_epoch());
  }
};

}  // namespace layerkey
