import Foundation
import Text

/// A report as styled lines for a terminal.
///
/// No line exceeds the width, so that the terminal does not wrap.
package struct WeatherView: Sendable {
  /// The amount of detail.
  package enum Form: Hashable, Sendable {
    /// Header, days and chart, as far as the width allows.
    case full
    /// One row per slot, as in the phone app.
    case list
    case line
  }

  package var width: Int
  package var language: MessageLanguage
  package var ascii: Bool
  /// Measures the width of text, with the terminal's width of ambiguous characters.
  package var cells: WidthMeasurer

  package init(
    width: Int, language: MessageLanguage, ascii: Bool = false, cells: WidthMeasurer
  ) {
    self.width = max(1, width)
    self.language = language
    self.ascii = ascii
    self.cells = cells
  }

  /// Returns the lines from top to bottom, none wider than `width`.
  ///
  /// `now` determines the mark of the current slot and the age of the response.
  package func lines(_ report: WeatherReport, form: Form = .full, now: Date) -> [[Span]] {
    let instant = Int(exactly: now.timeIntervalSince1970.rounded(.down)) ?? 0
    return strips(report, form, instant).map { $0.truncated(to: width, ellipsis: ascii ? "..." : "…").spans }
  }

  private func strips(_ report: WeatherReport, _ form: Form, _ now: Int) -> [StyledLine] {
    let oneLine = form == .line || width < 40
    if oneLine && form != .list { return [OneLine(view: self).strip(report)] }
    var sections = [WeatherHeader(view: self).strips(report, now), FailureSection(view: self).strips(report)]
    let days = report.days
    switch form {
    case .list: sections.append(SlotList(view: self).strips(days))
    case .full, .line:
      sections.append(ForecastTable(view: self).strips(days) ?? FoldedDays(view: self).strips(days))
      sections.append(TemperatureChart(view: self).strips(days, now: now))
    }
    return Array(sections.filter { !$0.isEmpty }.joined(separator: [strip]))
  }

  /// An empty line.
  var strip: StyledLine { StyledLine(cells: cells) }

  func say(_ english: StyledText, ko korean: StyledText) -> String {
    LocalizedText(english, ko: korean)[language].plain
  }

  /// The unit of the reference app, or a letter for ASCII.
  var degree: String { ascii ? "C" : "º" }

  func degrees(_ celsius: Double?) -> String { celsius.map { DecimalText.fixed($0) + degree } ?? "-" }

  func glyph(_ sky: [Sky]) -> String {
    SkyIcon(sky.first).glyph(isNight: sky.first?.isNight ?? false, ascii: ascii)
  }

  func words(_ sky: [Sky]) -> String { sky.map { ConditionText.text($0, in: language) }.joined(separator: ", ") }
}

extension WeatherView {
  /// Text in one style, sanitized and ready to print.
  package struct Span: Hashable, Sendable {
    package var text: String
    package var role: Role

    package init(_ text: String, _ role: Role = .plain) {
      self.text = text
      self.role = role
    }
  }

  /// The semantic style of a span; the renderer chooses colors.
  package enum Role: Hashable, Sendable {
    case plain
    case dim
    case strong
    /// A step of `TemperatureRamp`, from cold to hot.
    case temperature(Int)
    case rain
    case warning
  }
}

/// A scale of temperatures in 21 steps with a color of the 256-color palette for each.
package enum TemperatureRamp {
  /// The lower bounds of all steps but the first in °C, finer in the range of inhabited places.
  private static let steps: [Double] = [
    -15, -12, -9, -6, -3, 0, 2, 4, 6, 8, 10, 13, 16, 19, 22, 25, 28, 31, 34, 37,
  ]

  /// The colors of xterm's palette from blue to red.
  package static let colors: [UInt8] = [
    21, 27, 33, 39, 45, 51, 50, 49, 48, 47, 46, 82, 118, 154, 190, 226, 220, 214, 208, 202, 196,
  ]

  /// Returns the step of a temperature, 0 for the coldest.
  package static func step(_ celsius: Double) -> Int { steps.count { celsius >= $0 } }

  static func role(_ celsius: Double?) -> WeatherView.Role {
    celsius.map { .temperature(step($0)) } ?? .plain
  }
}

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

/// The failed parts and their reasons, shown in addition to the rest.
struct FailureSection {
  let view: WeatherView

  func strips(_ report: WeatherReport) -> [StyledLine] {
    report.failures.flatMap { failure in
      let name = failure.name[view.language].plain
      let reason = failure.error.reason[view.language].plain
      let old = failure.isStale ? view.say(" (showing cached data)", ko: " (이전 데이터를 표시합니다)") : ""
      return wrapped("! " + name + ": " + reason + old)
    }
  }

  private func wrapped(_ text: String) -> [StyledLine] {
    let words = text.split(separator: " ").map { word in
      var strip = view.strip
      strip.add(String(word), .warning)
      return strip
    }
    return StyledLine.wrap(words, gap: 1, within: view.width, cells: view.cells)
  }
}
