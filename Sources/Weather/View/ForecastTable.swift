import Text

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
      ColumnWidths(day: 10, cell: 11, showsChance: true), ColumnWidths(day: 11, cell: 7, showsChance: false),
      ColumnWidths(day: 10, cell: 7, showsChance: false), ColumnWidths(day: 8, cell: 5, showsChance: false),
    ]
    guard let measure = measures.first(where: { $0.total(8) <= view.width }) else { return nil }
    let isTight = days.contains { labelTouchesFirstColumn($0, columns[0], measure) }
    return [head(columns, measure)] + days.map { row($0, columns, measure, isTight: isTight) }
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

  /// Returns true if the first temperature would follow the label without a space.
  private func labelTouchesFirstColumn(_ day: LocalDay, _ first: Int, _ measure: ColumnWidths) -> Bool {
    guard let temperature = day.slot(at: first)?.temperature else { return false }
    return DecimalText.fixed(temperature, 0).count > 2
      && view.cells.of(day.date.dayLabel(in: view.language)) >= measure.day
  }

  private func row(_ day: LocalDay, _ columns: [Int], _ measure: ColumnWidths, isTight: Bool) -> StyledLine {
    var strip = view.strip
    let label = day.date.dayLabel(in: view.language)
    // Without the month the label always fits.
    strip.appendLeading(measure.day < 10 || isTight ? String(label.dropFirst(3)) : label, in: measure.day)
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

/// A chart of all temperatures as a row of bars, with the rain below it, and below that the days.
struct TemperatureChart {
  let view: WeatherView

  func strips(_ days: [LocalDay], now: Int) -> [StyledLine] {
    let slots = days.flatMap { $0.slots.map(\.slot) }
    // Forty slots are five days; more would not fit on a line with their labels.
    guard slots.count > 1, slots.count <= 40 else { return [] }
    let temperatures = slots.map(\.temperature)
    guard let low = temperatures.compactMap(\.self).min(), let high = temperatures.compactMap(\.self).max() else {
      return []
    }
    let hasRoom = view.width >= 63
    var lines: [StyledLine] = []
    if !hasRoom { lines.append(legend(low, high)) }
    var curve = margin(view.say("temp", ko: "기온"), hasRoom)
    for (level, value) in zip(Sparkline.levels(temperatures), temperatures) {
      curve.add(level.map { bars[$0] } ?? " ", TemperatureRamp.role(value))
    }
    if hasRoom { curve.add("  " + range(low, high), .dim) }
    lines.append(curve)
    lines += rain(slots, hasRoom)
    lines.append(ticks(days, now, hasRoom))
    return lines
  }

  private func range(_ low: Double, _ high: Double) -> String { view.degrees(low) + " ~ " + view.degrees(high) }

  private func legend(_ low: Double, _ high: Double) -> StyledLine {
    var strip = view.strip
    strip.add(view.say("temp", ko: "기온") + " " + range(low, high), .dim)
    return strip
  }

  private func margin(_ label: String, _ hasRoom: Bool) -> StyledLine {
    var strip = view.strip
    if hasRoom { strip.appendLeading(label, in: 5, .dim) }
    return strip
  }

  private func rain(_ slots: [ForecastPeriod], _ hasRoom: Bool) -> [StyledLine] {
    let wet = slots.map(\.wet)
    guard let most = wet.max(), most > 0 else { return [] }
    var strip = margin(view.say("rain", ko: "강수"), hasRoom)
    for level in Sparkline.amounts(wet) { strip.add(level.map { bars[$0] } ?? " ", .rain) }
    if hasRoom {
      strip.add("  " + view.say("up to \(DecimalText.fixed(most)) mm", ko: "최대 \(DecimalText.fixed(most)) mm"), .dim)
    }
    return [strip]
  }

  /// Returns the axis: the day of the month below its first slot, and a mark below the current slot.
  private func ticks(_ days: [LocalDay], _ now: Int, _ hasRoom: Bool) -> StyledLine {
    var strip = margin("", hasRoom)
    for day in days {
      var marks = Array("|" + day.date.dayOfMonth).map(String.init)
      marks = Array((marks + Array(repeating: " ", count: 40)).prefix(day.slots.count))
      for (index, entry) in day.slots.enumerated() {
        let isNow = (entry.slot.time..<entry.slot.time + 10_800).contains(now)
        strip.add(isNow ? "^" : marks[index], isNow ? .strong : .dim)
      }
    }
    return strip
  }

  /// Bars of eight heights, one cell each.
  ///
  /// Braille is used if blocks are two cells wide.
  private var bars: [String] {
    if view.ascii { return Array("_.-~=+*#").map(String.init) }
    let blocks = Array("▁▂▃▄▅▆▇█").map(String.init)
    return blocks.allSatisfy { view.cells.of($0) == 1 } ? blocks : Array("⡀⣀⣄⣤⣦⣶⣷⣿").map(String.init)
  }
}

/// Scales a row of numbers to the levels of bars.
package enum Sparkline {
  /// Returns levels from 0 to `steps - 1`.
  ///
  /// Equal values get the middle level, and missing ones remain missing.
  package static func levels(_ values: [Double?], steps: Int = 8) -> [Int?] {
    let known = values.compactMap(\.self).filter(\.isFinite)
    guard let low = known.min(), let high = known.max() else { return values.map { _ in nil } }
    return values.map { value in
      guard let value, value.isFinite else { return nil }
      guard high > low else { return (steps - 1) / 2 }
      return level((value - low) / (high - low), steps)
    }
  }

  /// Returns levels above zero; `nil` for zero, so that a dry slot stays empty.
  package static func amounts(_ values: [Double], steps: Int = 8) -> [Int?] {
    let high = values.filter(\.isFinite).max() ?? 0
    return values.map { $0 > 0 && $0.isFinite && high > 0 ? level($0 / high, steps) : nil }
  }

  private static func level(_ share: Double, _ steps: Int) -> Int {
    min(steps - 1, max(0, Int(exactly: (share * Double(steps - 1)).rounded()) ?? 0))
  }
}
