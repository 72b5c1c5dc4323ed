import Foundation

/// A report as lines of styled cells for a terminal so many cells wide; no line is wider, none is wrapped by a terminal.
package struct WeatherView: Sendable {
  package enum Form: Hashable, Sendable {
    /// Header, days and sparkline, as much as the width allows.
    case full
    /// One row a slot, as the phone app shows it.
    case list
    case line
  }

  package var width: Int
  package var language: WeatherLanguage
  package var ascii: Bool
  /// How many cells a text takes, with the terminal's habit for ambiguous characters.
  package var cells: @Sendable (String) -> Int

  package init(
    width: Int, language: WeatherLanguage, ascii: Bool = false, cells: @escaping @Sendable (String) -> Int
  ) {
    self.width = max(1, width)
    self.language = language
    self.ascii = ascii
    self.cells = cells
  }

  package func lines(_ report: WeatherReport, form: Form = .full, now: Date) -> [[Span]] {
    let instant = Int(exactly: now.timeIntervalSince1970.rounded(.down)) ?? 0
    return strips(report, form, instant).map { $0.fitted(to: width, ellipsis: ascii ? "..." : "…").spans }
  }

  private func strips(_ report: WeatherReport, _ form: Form, _ now: Int) -> [Strip] {
    let oneLine = form == .line || width < 40
    if oneLine && form != .list { return [OneLine(view: self).strip(report)] }
    var sections = [Header(view: self).strips(report, now), Failures(view: self).strips(report)]
    let days = report.days
    switch form {
    case .list: sections.append(SlotList(view: self).strips(days))
    case .full, .line:
      sections.append(Grid(view: self).strips(days) ?? FoldedDays(view: self).strips(days))
      sections.append(Curve(view: self).strips(days, now: now))
    }
    return Array(sections.filter { !$0.isEmpty }.joined(separator: [strip]))
  }

  /// An empty line to write on.
  var strip: Strip { Strip(cells: cells) }

  func say(_ english: String, _ korean: String) -> String { Phrase(english, ko: korean)[language] }

  /// The reference app's sign, a letter where only ASCII is wanted.
  var degree: String { ascii ? "C" : "º" }

  func degrees(_ celsius: Double?) -> String { celsius.map { Figures.fixed($0) + degree } ?? "-" }

  func glyph(_ sky: [Sky]) -> String {
    IconClass(sky.first).glyph(isNight: sky.first?.isNight ?? false, ascii: ascii)
  }

  func words(_ sky: [Sky]) -> String { sky.map { ConditionText.text($0, in: language) }.joined(separator: ", ") }
}
