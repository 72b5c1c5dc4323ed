import Text

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
    strip.appendTrailing(slot.temperature.map { DecimalText.fixed($0, 0) } ?? "-", in: 4, TemperatureRamp.role(slot.temperature))
    strip.appendLeading(view.glyph(slot.sky), in: 2)
    return strip
  }
}

/// A list with one row per slot: date, temperature, sky, as in the phone app, and the probability and amount of rain
/// and the wind.
struct SlotList {
  let view: WeatherView

  func strips(_ days: [LocalDay]) -> [StyledLine] {
    let entries = days.flatMap(\.slots)
    let dates = entries.map { $0.time.label(in: view.language) }
    let temperatures = entries.map { view.degrees($0.slot.temperature) }
    let dateRoom = dates.map(view.cells.of).max() ?? 0
    let room = temperatures.map(view.cells.of).max() ?? 0
    let words = entries.map { view.words($0.slot.sky) }
    let wordRoom = min(24, words.map(view.cells.of).max() ?? 0)
    return entries.indices.map { index in
      let slot = entries[index].slot
      var strip = view.strip
      strip.appendLeading(dates[index], in: dateRoom + 1)
      strip.appendTrailing(temperatures[index], in: room, TemperatureRamp.role(slot.temperature))
      strip.add(" ")
      strip.appendLeading(view.glyph(slot.sky), in: 3)
      strip.appendLeading(words[index], in: wordRoom + 1)
      if view.width >= 63 { tail(slot, &strip) }
      return strip
    }
  }

  private func tail(_ slot: ForecastPeriod, _ strip: inout StyledLine) {
    let chance = slot.precipitationProbability.flatMap { $0 >= 0.005 ? DecimalText.fixed($0 * 100, 0) + "%" : nil } ?? ""
    strip.appendTrailing(chance, in: 4, .rain)
    strip.appendTrailing(slot.wet > 0 ? DecimalText.fixed(slot.wet) + " mm" : "", in: 9, .rain)
    guard view.width >= 80, let wind = slot.wind else { return }
    let from = (view.ascii ? wind.name?[view.language].plain : wind.arrow) ?? ""
    strip.add("  ")
    strip.appendLeading(from, in: view.ascii ? 7 : 3)
    strip.appendTrailing(DecimalText.fixed(wind.speed) + " m/s", in: 8)
  }
}
