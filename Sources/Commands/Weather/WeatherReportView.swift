import Catalog
import Foundation
import Presentation
import Text
import WeatherAPI

/// A weather report as a drawing, a table of its time slots and a JSON value.
struct WeatherReportView {
  private let options: RenderOptions
  private let now: Date

  init(_ options: RenderOptions, now: Date) {
    self.options = options
    self.now = now
  }

  func drawing(_ report: WeatherReport, isList: Bool) -> Figure {
    let view = WeatherView(
      width: options.width ?? 80, language: options.language, ascii: options.usesASCII, cells: options.cells)
    let lines = view.lines(report, form: isList ? .list : .full, now: now)
    return Figure(
      lines.map { $0.map { Figure.Run($0.text, $0.role.ink) } }, table: table(report),
      json: WeatherEncoder.json(report))
  }

  private func table(_ report: WeatherReport) -> Table {
    let slots = WeatherEncoder.slots(report)
    let words = ["time", "local", "text", "icon"]
    return Table(
      slots.columns.map { .init($0, LocalizedText(same: StyledText($0)), isNumber: !words.contains($0)) },
      rows: slots.rows.map { row in
        zip(slots.columns, row).map { column, text in
          guard let text else { return .none }
          return words.contains(column) ? .text(text) : number(text)
        }
      })
  }

  /// Returns a plain decimal of the weather service as a cell.
  private func number(_ text: String) -> Table.Cell {
    if let whole = Int(text) { return .number(whole) }
    let digits = text.hasPrefix("-") ? String(text.dropFirst()) : text
    guard let amount = Amount(typed: digits) else { return .text(text) }
    return .amount(text.hasPrefix("-") ? Amount.zero - amount : amount)
  }
}
