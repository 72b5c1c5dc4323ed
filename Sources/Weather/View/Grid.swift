import Text

/// Local days down, three-hour columns across, each labelled by the hour at which its slots really begin.
struct Grid {
  let view: WeatherView

  /// How wide each part is, in cells.
  private struct Measure {
    var day: Int
    var cell: Int
    var range = 9
    var rain = 5
    var showsChance: Bool
    func total(_ columns: Int) -> Int { day + cell * columns + range + rain }
  }

  /// Nil where the width or the slots do not allow one.
  func strips(_ days: [LocalDay]) -> [Strip]? {
    let columns = LocalDay.columns(of: days)
    guard !columns.isEmpty, columns.count <= 8, view.width >= 63 else { return nil }
    let measures = [
      Measure(day: 10, cell: 11, showsChance: true), Measure(day: 11, cell: 7, showsChance: false),
      Measure(day: 10, cell: 7, showsChance: false), Measure(day: 8, cell: 5, showsChance: false),
    ]
    guard let measure = measures.first(where: { $0.total(8) <= view.width }) else { return nil }
    let isTight = days.contains { touches($0, columns[0], measure) }
    return [head(columns, measure)] + days.map { row($0, columns, measure, isTight: isTight) }
  }

  private func head(_ columns: [Int], _ measure: Measure) -> Strip {
    var strip = view.strip
    strip.pad(to: measure.day)
    for minute in columns {
      let hour = DecimalText.two(minute / 60)
      let text = minute % 60 == 0 ? hour : hour + (measure.cell > 5 ? ":" : "") + DecimalText.two(minute % 60)
      strip.right(text, in: min(3, measure.cell), .dim)
      strip.pad(to: strip.width + measure.cell - max(3, view.cells.of(text)))
    }
    strip.right(view.say("lo/hi", ko: "저/고"), in: measure.range, .dim)
    strip.right("mm", in: measure.rain, .dim)
    return strip
  }

  /// Whether the first temperature would stand right behind a label that fills its room.
  private func touches(_ day: LocalDay, _ first: Int, _ measure: Measure) -> Bool {
    guard let temperature = day.slot(at: first)?.temperature else { return false }
    return DecimalText.fixed(temperature, 0).count > 2
      && view.cells.of(day.start.dayLabel(in: view.language)) >= measure.day
  }

  private func row(_ day: LocalDay, _ columns: [Int], _ measure: Measure, isTight: Bool) -> Strip {
    var strip = view.strip
    let label = day.start.dayLabel(in: view.language)
    // Without the month it always has room.
    strip.left(measure.day < 10 || isTight ? String(label.dropFirst(3)) : label, in: measure.day)
    for minute in columns {
      let end = strip.width + measure.cell
      if let slot = day.slot(at: minute) { cell(slot, measure, &strip) }
      strip.pad(to: end)
    }
    range(day, &strip, in: measure.range)
    if day.wet > 0 {
      strip.right(DecimalText.fixed(day.wet, day.wet < 99.95 ? 1 : 0), in: measure.rain, .rain)
    }
    return strip
  }

  private func cell(_ slot: Slot, _ measure: Measure, _ strip: inout Strip) {
    let text = slot.temperature.map { DecimalText.fixed($0, 0) } ?? "-"
    strip.right(text, in: 3, TemperatureRamp.role(slot.temperature))
    strip.left(view.glyph(slot.sky), in: 2)
    if measure.showsChance, let chance = slot.chance, chance >= 0.005 {
      strip.right(DecimalText.fixed(chance * 100, 0) + "%", in: 5, .rain)
    }
  }

  private func range(_ day: LocalDay, _ strip: inout Strip, in room: Int) {
    guard let low = day.lowest, let high = day.highest else { return strip.pad(to: strip.width + room) }
    let texts = (DecimalText.fixed(low, 0), DecimalText.fixed(high, 0))
    strip.pad(to: strip.width + room - view.cells.of(texts.0 + "/" + texts.1))
    strip.add(texts.0, TemperatureRamp.role(low))
    strip.add("/", .dim)
    strip.add(texts.1, TemperatureRamp.role(high))
  }
}
