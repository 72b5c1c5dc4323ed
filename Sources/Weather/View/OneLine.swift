/// The weather in one line, for a prompt or a terminal with no room: place, sky, now, lowest and highest.
struct OneLine {
  let view: WeatherView

  func strip(_ report: WeatherReport) -> Strip {
    var strip = view.strip
    strip.add(report.name(in: view.language), .strong)
    if report.isSample { strip.add(" (" + view.say("sample", "표본") + ")", .warning) }
    guard let current = report.current.value else {
      let reason = report.current.error?.reason[view.language] ?? "-"
      strip.add(" " + reason, .warning)
      return strip
    }
    strip.add(" " + view.glyph(current.sky) + " ")
    strip.add(view.degrees(current.temperature), TemperatureRamp.role(current.temperature))
    strip.add(" ")
    strip.add(current.lowest.map { Figures.fixed($0) } ?? "-", TemperatureRamp.role(current.lowest))
    strip.add("/", .dim)
    strip.add(view.degrees(current.highest), TemperatureRamp.role(current.highest))
    if !current.sky.isEmpty { strip.add(" " + view.words(current.sky)) }
    for failure in report.failures { strip.add(" !" + failure.name[view.language], .warning) }
    return strip
  }
}
