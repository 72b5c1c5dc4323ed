/// The days where there is no room for columns: a heading a day, its slots folded under it.
struct FoldedDays {
  let view: WeatherView

  func strips(_ days: [LocalDay]) -> [Strip] {
    days.flatMap { day in
      [heading(day)] + Strip.flow(day.slots.map(entry), gap: 1, within: view.width, cells: view.cells)
    }
  }

  private func heading(_ day: LocalDay) -> Strip {
    var strip = view.strip
    strip.add(day.start.dayLabel(in: view.language), .strong)
    if let low = day.lowest, let high = day.highest {
      strip.add("  ")
      strip.add(Figures.fixed(low, 0), TemperatureRamp.role(low))
      strip.add("/", .dim)
      strip.add(Figures.fixed(high, 0) + view.degree, TemperatureRamp.role(high))
    }
    if day.wet > 0 { strip.add("  " + Figures.fixed(day.wet) + " mm", .rain) }
    return strip
  }

  private func entry(_ time: LocalTime, _ slot: Slot) -> Strip {
    var strip = view.strip
    strip.add(" ")
    strip.add(time.minute == 0 ? Figures.two(time.hour) : time.clock, .dim)
    strip.right(slot.temperature.map { Figures.fixed($0, 0) } ?? "-", in: 4, TemperatureRamp.role(slot.temperature))
    strip.left(view.glyph(slot.sky), in: 2)
    return strip
  }
}
