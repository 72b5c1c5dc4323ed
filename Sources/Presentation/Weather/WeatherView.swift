import Foundation
import Text
import WeatherAPI

/// A weather report as styled lines for a terminal.
///
/// No line exceeds the width, so that the terminal does not wrap.
package struct WeatherView: Sendable {
  private let options: RenderOptions
  let width: Int

  /// Creates a view for the width of `options`, or 80 cells if it has none.
  package init(_ options: RenderOptions) {
    self.options = options
    width = max(1, options.width ?? 80)
  }

  /// Returns the lines with the data of the report.
  ///
  /// - Parameters:
  ///   - isList: Shows one row per slot, as in the phone app, instead of the days and the chart.
  ///   - now: The time that determines the mark of the current slot and the age of the response.
  package func figure(_ report: WeatherReport, isList: Bool, now: Date) -> Figure {
    Figure(lines(report, isList: isList, now: now), table: report.slotTable, value: report.data)
  }

  /// Returns the lines from top to bottom, none wider than `width`.
  func lines(_ report: WeatherReport, isList: Bool, now: Date) -> [[Figure.Run]] {
    let instant = Int(exactly: now.timeIntervalSince1970.rounded(.down)) ?? 0
    let ellipsis = isASCII ? "..." : "…"
    return sections(report, isList: isList, now: instant).filter { !$0.isEmpty }.joined(separator: [FigureLine(cells)])
      .map { $0.truncated(to: width, ellipsis: ellipsis).runs }
  }

  private func sections(_ report: WeatherReport, isList: Bool, now: Int) -> [[FigureLine]] {
    if width < 40, !isList { return [[summary(report)]] }
    let days = report.days
    let heading = [WeatherHeader(view: self).lines(report, now: now), failures(report)]
    if isList { return heading + [SlotList(view: self).lines(days)] }
    return heading + [
      ForecastTable(view: self).lines(days) ?? FoldedDays(view: self).lines(days),
      TemperatureChart(view: self).lines(days, now: now),
    ]
  }

  /// Returns the weather in one line, for a narrow terminal: place, condition, current, lowest and highest temperature.
  private func summary(_ report: WeatherReport) -> FigureLine {
    var line = FigureLine(cells, report.name(in: language), style: .bold)
    if report.isSample { line.add(" (" + say("sample", ko: "예시") + ")", .warning) }
    guard let current = report.current.value else {
      let reason = report.current.error?.reason[language].plain ?? "-"
      line.add(" " + reason, .warning)
      return line
    }
    line.add(" " + glyph(current.conditions) + " ")
    line.add(degrees(current.temperature), .temperature(current.temperature))
    line.add(" ")
    line.add(current.minTemperature.map { DecimalText.fixed($0) } ?? "-", .temperature(current.minTemperature))
    line.add("/", .dim)
    line.add(degrees(current.maxTemperature), .temperature(current.maxTemperature))
    if !current.conditions.isEmpty { line.add(" " + names(current.conditions)) }
    for failure in report.failures { line.add(" !" + failure.name[language].plain, .warning) }
    return line
  }

  /// Returns the failed parts and their reasons, shown in addition to the rest.
  private func failures(_ report: WeatherReport) -> [FigureLine] {
    report.failures.flatMap { failure in
      let name = failure.name[language].plain
      let reason = failure.error.reason[language].plain
      let old = failure.isStale ? say(" (showing cached data)", ko: " (이전 데이터를 표시합니다)") : ""
      let words = ("! " + name + ": " + reason + old).split(separator: " ")
      return FigureLine.wrap(words.map { FigureLine(cells, String($0), style: .warning) }, gap: 1, within: width)
    }
  }
}

extension WeatherView {
  var language: MessageLanguage { options.language }
  var isASCII: Bool { options.usesASCII }
  var cells: WidthMeasurer { options.cells }

  func say(_ english: StyledText, ko korean: StyledText) -> String {
    LocalizedText(english, ko: korean)[language].plain
  }

  /// The unit of temperatures, of which ASCII has the letter alone.
  var degree: String { isASCII ? "C" : "°C" }

  func degrees(_ celsius: Double?) -> String { celsius.map { DecimalText.fixed($0) + degree } ?? "-" }

  func glyph(_ conditions: [WeatherCondition]) -> String {
    WeatherIcon(conditions.first).glyph(isNight: conditions.first?.isNight ?? false, ascii: isASCII)
  }

  func names(_ conditions: [WeatherCondition]) -> String {
    conditions.map { $0.name(in: language) }.joined(separator: ", ")
  }
}

/// The current weather: the fields of the phone app and the other measurements, with a picture of the sky.
private struct WeatherHeader {
  let view: WeatherView

  func lines(_ report: WeatherReport, now: Int) -> [FigureLine] {
    let current = report.current.value
    let condition = current?.conditions.first
    let art =
      view.width >= 63 && current != nil ? WeatherIcon(condition).art(isNight: condition?.isNight ?? false) : []
    let indent = art.isEmpty ? 0 : WeatherIcon.artWidth + 2
    let words = summaryLines(report, now: now, room: view.width - indent)
    return (0..<max(art.count, words.count)).map { row in
      var line = FigureLine(view.cells)
      if row < art.count { line.add(art[row], .dim) }
      if row < words.count {
        line.pad(to: indent)
        line.add(words[row])
      }
      return line
    }
  }

  private func summaryLines(_ report: WeatherReport, now: Int, room: Int) -> [FigureLine] {
    var lines = FigureLine.wrap(title(report), gap: 2, within: room)
    guard let current = report.current.value else { return lines }
    lines += FigureLine.wrap(sky(current), gap: 2, within: room)
    lines.append(
      field(
        view.say("Low", ko: "최소"),
        [
          (view.degrees(current.minTemperature), .temperature(current.minTemperature)),
          (" " + view.say("High", ko: "최대") + " ", .plain),
          (view.degrees(current.maxTemperature), .temperature(current.maxTemperature)),
        ]))
    lines += FigureLine.wrap(atmosphereFields(current), gap: 2, within: room)
    lines += FigureLine.wrap(times(report, current, now: now), gap: 2, within: room)
    return lines
  }

  private func title(_ report: WeatherReport) -> [FigureLine] {
    var pieces = [FigureLine(view.cells, report.title(in: view.language), style: .bold)]
    if report.isSample { pieces.append(FigureLine(view.cells, view.say("sample data", ko: "예시 데이터"), style: .warning)) }
    if report.current.isStale {
      pieces.append(FigureLine(view.cells, view.say("cached", ko: "이전 데이터"), style: .warning))
    }
    return pieces
  }

  private func sky(_ current: CurrentConditions) -> [FigureLine] {
    var pieces = [FigureLine(view.cells, view.degrees(current.temperature), style: .temperature(current.temperature))]
    if !current.conditions.isEmpty {
      pieces.append(FigureLine(view.cells, view.names(current.conditions), style: .bold))
    }
    if let feels = current.feelsLike {
      pieces.append(field(view.say("feels like", ko: "체감"), [(view.degrees(feels), .temperature(feels))]))
    }
    return pieces
  }

  private func atmosphereFields(_ current: CurrentConditions) -> [FigureLine] {
    var pieces: [FigureLine] = []
    if let humidity = current.humidity { pieces.append(fact(view.say("humidity", ko: "습도"), "\(humidity)%")) }
    if let wind = current.wind { pieces.append(fact(view.say("wind", ko: "바람"), words(wind))) }
    if let rain = current.rain {
      pieces.append(field(view.say("rain", ko: "강수"), [(DecimalText.trimmed(rain) + " mm/h", .accent)]))
    }
    if let snow = current.snow {
      pieces.append(field(view.say("snow", ko: "적설"), [(DecimalText.trimmed(snow) + " mm/h", .accent)]))
    }
    if let pressure = current.pressure {
      pieces.append(fact(view.say("pressure", ko: "기압"), DecimalText.trimmed(pressure, 0) + " hPa"))
    }
    if let metres = current.visibility {
      pieces.append(fact(view.say("visibility", ko: "가시거리"), DecimalText.trimmed(Double(metres) / 1000) + " km"))
    }
    if let clouds = current.clouds { pieces.append(fact(view.say("clouds", ko: "구름"), "\(clouds)%")) }
    return pieces
  }

  private func words(_ wind: Wind) -> String {
    let from = view.isASCII ? wind.name?[view.language].plain : wind.arrow
    let gust = wind.gust.map { " (" + view.say("gusts", ko: "돌풍") + " " + DecimalText.trimmed($0) + ")" } ?? ""
    return (from.map { $0 + " " } ?? "") + DecimalText.trimmed(wind.speed) + " m/s" + gust
  }

  private func times(_ report: WeatherReport, _ current: CurrentConditions, now: Int) -> [FigureLine] {
    func clock(_ instant: Int) -> String { PlaceTime(instant, offset: report.utcOffset).clock }
    var pieces: [FigureLine] = []
    if let sunrise = current.sunrise { pieces.append(fact(view.say("sunrise", ko: "일출"), clock(sunrise))) }
    if let sunset = current.sunset { pieces.append(fact(view.say("sunset", ko: "일몰"), clock(sunset))) }
    if let time = current.time {
      pieces.append(
        FigureLine(view.cells, view.say("as of", ko: "기준") + " " + clock(time) + age(now - time), style: .dim))
    }
    return pieces
  }

  /// Returns the age, such as `, 3분 전`; nothing for a future time, which results from a wrong clock.
  private func age(_ seconds: Int) -> String {
    switch seconds {
    case ..<0: ""
    case ..<60: ", " + view.say("just now", ko: "방금")
    case ..<3600: ", " + view.say("\(seconds / 60) min ago", ko: "\(seconds / 60)분 전")
    case ..<172_800: ", " + view.say("\(seconds / 3600) h ago", ko: "\(seconds / 3600)시간 전")
    default: ", " + view.say("\(seconds / 86_400) days ago", ko: "\(seconds / 86_400)일 전")
    }
  }

  private func fact(_ label: String, _ value: String) -> FigureLine { field(label, [(value, .plain)]) }

  private func field(_ label: String, _ parts: [(String, Figure.Style)]) -> FigureLine {
    var line = FigureLine(view.cells, label + " ", style: .dim)
    for part in parts { line.add(part.0, part.1) }
    return line
  }
}

extension Figure.Style {
  /// Returns the color of a temperature from blue to red, in 21 steps of xterm's palette.
  static func temperature(_ celsius: Double?) -> Figure.Style {
    guard let celsius else { return .plain }
    let colors: [UInt8] = [
      21, 27, 33, 39, 45, 51, 50, 49, 48, 47, 46, 82, 118, 154, 190, 226, 220, 214, 208, 202, 196,
    ]
    // The lower bounds of all steps but the first in °C, finer in the range of inhabited places.
    let bounds: [Double] = [-15, -12, -9, -6, -3, 0, 2, 4, 6, 8, 10, 13, 16, 19, 22, 25, 28, 31, 34, 37]
    return .palette(colors[bounds.count { celsius >= $0 }])
  }
}
