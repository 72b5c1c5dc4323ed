import Foundation
import Text
import WeatherAPI

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

  /// A new line without text, of the width of the view.
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
