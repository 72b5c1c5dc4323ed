import Text
import WeatherAPI

/// A table with a row per local day and a column per three hours, labelled with the hour at which its slots begin.
struct ForecastTable {
  let view: WeatherView

  /// The widths of the parts in cells.
  private struct ColumnWidths {
    var day: Int
    var cell: Int
    var range = 9
    var rain = 5
    var showsChance: Bool
    func total(_ columns: Int) -> Int { day + cell * columns + range + rain }
  }

  /// Returns the rows, or `nil` if the width or the slots do not allow a table.
  func strips(_ days: [LocalDay]) -> [StyledLine]? {
    let columns = LocalDay.periodStartMinutes(of: days)
    guard !columns.isEmpty, columns.count <= 8, view.width >= 63 else { return nil }
    let measures = [
      ColumnWidths(day: 11, cell: 11, showsChance: true), ColumnWidths(day: 11, cell: 7, showsChance: false),
      ColumnWidths(day: 10, cell: 7, showsChance: false), ColumnWidths(day: 8, cell: 5, showsChance: false),
    ]
    guard let measure = measures.first(where: { $0.total(8) <= view.width }) else { return nil }
    return [head(columns, measure)] + days.map { row($0, columns, measure) }
  }

  private func head(_ columns: [Int], _ measure: ColumnWidths) -> StyledLine {
    var strip = view.strip
    strip.pad(to: measure.day)
    for minute in columns {
      let hour = DecimalText.twoDigits(minute / 60)
      let text = minute % 60 == 0 ? hour : hour + (measure.cell > 5 ? ":" : "") + DecimalText.twoDigits(minute % 60)
      strip.appendTrailing(text, in: min(3, measure.cell), .dim)
      strip.pad(to: strip.width + measure.cell - max(3, view.cells.of(text)))
    }
    strip.appendTrailing(view.say("low/high", ko: "최저/최고"), in: measure.range, .dim)
    strip.appendTrailing("mm", in: measure.rain, .dim)
    return strip
  }

  private func row(_ day: LocalDay, _ columns: [Int], _ measure: ColumnWidths) -> StyledLine {
    var strip = view.strip
    let label = day.date.dayLabel(in: view.language)
    // Without the month the label fits beside any temperature, in the forecast of every place.
    strip.appendLeading(measure.day < 11 ? String(label.dropFirst(3)) : label, in: measure.day)
    for minute in columns {
      let end = strip.width + measure.cell
      if let slot = day.slot(at: minute) { cell(slot, measure, &strip) }
      strip.pad(to: end)
    }
    range(day, &strip, in: measure.range)
    if day.wet > 0 {
      strip.appendTrailing(DecimalText.fixed(day.wet, day.wet < 99.95 ? 1 : 0), in: measure.rain, .rain)
    }
    return strip
  }

  private func cell(_ slot: ForecastPeriod, _ measure: ColumnWidths, _ strip: inout StyledLine) {
    let text = slot.temperature.map { DecimalText.fixed($0, 0) } ?? "-"
    strip.appendTrailing(text, in: 3, TemperatureRamp.role(slot.temperature))
    strip.appendLeading(view.glyph(slot.sky), in: 2)
    if measure.showsChance, let chance = slot.precipitationProbability, chance >= 0.005 {
      strip.appendTrailing(DecimalText.fixed(chance * 100, 0) + "%", in: 5, .rain)
    }
  }

  private func range(_ day: LocalDay, _ strip: inout StyledLine, in room: Int) {
    guard let low = day.lowest, let high = day.highest else { return strip.pad(to: strip.width + room) }
    let texts = (DecimalText.fixed(low, 0), DecimalText.fixed(high, 0))
    strip.pad(to: strip.width + room - view.cells.of(texts.0 + "/" + texts.1))
    strip.add(texts.0, TemperatureRamp.role(low))
    strip.add("/", .dim)
    strip.add(texts.1, TemperatureRamp.role(high))
  }
}
