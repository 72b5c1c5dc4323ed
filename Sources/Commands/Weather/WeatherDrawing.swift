import Catalog
import Foundation
import Presentation
import Text
import Weather

/// A weather report as a drawing, a table of its slots and one JSON value.
struct WeatherDrawing {
  private let options: RenderOptions
  private let now: Date

  init(_ options: RenderOptions, now: Date) {
    self.options = options
    self.now = now
  }

  func drawing(_ report: WeatherReport, isList: Bool) -> Drawing {
    let view = WeatherView(
      width: options.width ?? 80, language: options.tongue, ascii: options.ascii, cells: options.cells)
    let lines = view.lines(report, form: isList ? .list : .full, now: now)
    return Drawing(
      lines.map { $0.map { Drawing.Stroke($0.text, $0.role.ink) } }, table: table(report),
      json: WeatherData.json(report))
  }

  private func table(_ report: WeatherReport) -> Table {
    let slots = WeatherData.slots(report)
    let words = ["time", "local", "text", "icon"]
    return Table(
      slots.columns.map { .init($0, Wording(same: StyledText($0)), isNumber: !words.contains($0)) },
      rows: slots.rows.map { row in
        zip(slots.columns, row).map { column, text in
          guard let text else { return .none }
          return words.contains(column) ? .text(text) : number(text)
        }
      })
  }

  /// What the weather wrote as a plain decimal.
  private func number(_ text: String) -> Table.Cell {
    if let whole = Int(text) { return .number(whole) }
    let digits = text.hasPrefix("-") ? String(text.dropFirst()) : text
    guard let amount = Amount(typed: digits) else { return .text(text) }
    return .amount(text.hasPrefix("-") ? Amount.zero - amount : amount)
  }
}

extension WeatherView.Role {
  fileprivate var ink: Drawing.Ink {
    switch self {
    case .plain: .plain
    case .dim: .dim
    case .strong: .strong
    case .temperature(let step):
      TemperatureRamp.colors.indices.contains(step) ? .palette(TemperatureRamp.colors[step]) : .plain
    case .rain: .water
    case .warning: .warning
    }
  }
}
