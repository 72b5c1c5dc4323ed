import Text
import WeatherAPI

/// The weather in one line, for a prompt or a narrow terminal: place, sky, current, lowest and highest temperature.
struct OneLine {
  let view: WeatherView

  func strip(_ report: WeatherReport) -> StyledLine {
    var strip = view.strip
    strip.add(report.name(in: view.language), .strong)
    if report.isSample { strip.add(" (" + view.say("sample", ko: "예시") + ")", .warning) }
    guard let current = report.current.value else {
      let reason = report.current.error?.reason[view.language].plain ?? "-"
      strip.add(" " + reason, .warning)
      return strip
    }
    strip.add(" " + view.glyph(current.sky) + " ")
    strip.add(view.degrees(current.temperature), TemperatureRamp.role(current.temperature))
    strip.add(" ")
    strip.add(current.minTemperature.map { DecimalText.fixed($0) } ?? "-", TemperatureRamp.role(current.minTemperature))
    strip.add("/", .dim)
    strip.add(view.degrees(current.maxTemperature), TemperatureRamp.role(current.maxTemperature))
    if !current.sky.isEmpty { strip.add(" " + view.words(current.sky)) }
    for failure in report.failures { strip.add(" !" + failure.name[view.language].plain, .warning) }
    return strip
  }
}
