import WeatherAPI

/// The days on a narrow screen: a heading per day, followed by its slots.
struct FoldedDays {
  let view: WeatherView

  func strips(_ days: [LocalDay]) -> [StyledLine] {
    days.flatMap { day in
      [heading(day)] + StyledLine.wrap(day.slots.map(entry), gap: 1, within: view.width, cells: view.cells)
    }
  }

  private func heading(_ day: LocalDay) -> StyledLine {
    var strip = view.strip
    strip.add(day.date.dayLabel(in: view.language), .strong)
    if let low = day.lowest, let high = day.highest {
      strip.add("  ")
      strip.add(DecimalText.fixed(low, 0), TemperatureRamp.role(low))
      strip.add("/", .dim)
      strip.add(DecimalText.fixed(high, 0) + view.degree, TemperatureRamp.role(high))
    }
    if day.wet > 0 { strip.add("  " + DecimalText.fixed(day.wet) + " mm", .rain) }
    return strip
  }

  private func entry(_ time: LocalTime, _ slot: ForecastPeriod) -> StyledLine {
    var strip = view.strip
    strip.add(" ")
    strip.add(time.minute == 0 ? DecimalText.twoDigits(time.hour) : time.clock, .dim)
    strip.appendTrailing(
      slot.temperature.map { DecimalText.fixed($0, 0) } ?? "-", in: 4, TemperatureRamp.role(slot.temperature))
    strip.appendLeading(view.glyph(slot.sky), in: 2)
    return strip
  }
}
