import Text

/// The weather in one line, for a prompt or a terminal with no room: place, sky, now, lowest and highest.
struct OneLine {
  let view: WeatherView

  func strip(_ report: WeatherReport) -> Strip {
    var strip = view.strip
    strip.add(report.name(in: view.language), .strong)
    if report.isSample { strip.add(" (" + view.say("sample", ko: "표본") + ")", .warning) }
    guard let current = report.current.value else {
      let reason = report.current.error?.reason[view.language].plain ?? "-"
      strip.add(" " + reason, .warning)
      return strip
    }
    strip.add(" " + view.glyph(current.sky) + " ")
    strip.add(view.degrees(current.temperature), TemperatureRamp.role(current.temperature))
    strip.add(" ")
    strip.add(current.lowest.map { DecimalText.fixed($0) } ?? "-", TemperatureRamp.role(current.lowest))
    strip.add("/", .dim)
    strip.add(view.degrees(current.highest), TemperatureRamp.role(current.highest))
    if !current.sky.isEmpty { strip.add(" " + view.words(current.sky)) }
    for failure in report.failures { strip.add(" !" + failure.name[view.language].plain, .warning) }
    return strip
  }
}

/// Names every part that failed and why, beside the rest that is shown.
struct Failures {
  let view: WeatherView

  func strips(_ report: WeatherReport) -> [Strip] {
    report.failures.flatMap { failure in
      let name = failure.name[view.language].plain
      let reason = failure.error.reason[view.language].plain
      let old = failure.isStale ? view.say(" (an old answer is shown)", ko: " (지난 자료를 보입니다)") : ""
      return wrapped("! " + name + ": " + reason + old)
    }
  }

  private func wrapped(_ text: String) -> [Strip] {
    let words = text.split(separator: " ").map { word in
      var strip = view.strip
      strip.add(String(word), .warning)
      return strip
    }
    return Strip.flow(words, gap: 1, within: view.width, cells: view.cells)
  }
}
