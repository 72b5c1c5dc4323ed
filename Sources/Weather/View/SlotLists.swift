import Text

/// The days on a narrow screen: a heading per day, followed by its slots.
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
      strip.add(DecimalText.fixed(low, 0), TemperatureRamp.role(low))
      strip.add("/", .dim)
      strip.add(DecimalText.fixed(high, 0) + view.degree, TemperatureRamp.role(high))
    }
    if day.wet > 0 { strip.add("  " + DecimalText.fixed(day.wet) + " mm", .rain) }
    return strip
  }

  private func entry(_ time: LocalTime, _ slot: Slot) -> Strip {
    var strip = view.strip
    strip.add(" ")
    strip.add(time.minute == 0 ? DecimalText.two(time.hour) : time.clock, .dim)
    strip.right(slot.temperature.map { DecimalText.fixed($0, 0) } ?? "-", in: 4, TemperatureRamp.role(slot.temperature))
    strip.left(view.glyph(slot.sky), in: 2)
    return strip
  }
}

/// A list with one row per slot: date, temperature, sky, as in the phone app, and the probability and amount of rain
/// and the wind.
struct SlotList {
  let view: WeatherView

  func strips(_ days: [LocalDay]) -> [Strip] {
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
      strip.left(dates[index], in: dateRoom + 1)
      strip.right(temperatures[index], in: room, TemperatureRamp.role(slot.temperature))
      strip.add(" ")
      strip.left(view.glyph(slot.sky), in: 3)
      strip.left(words[index], in: wordRoom + 1)
      if view.width >= 63 { tail(slot, &strip) }
      return strip
    }
  }

  private func tail(_ slot: Slot, _ strip: inout Strip) {
    let chance = slot.chance.flatMap { $0 >= 0.005 ? DecimalText.fixed($0 * 100, 0) + "%" : nil } ?? ""
    strip.right(chance, in: 4, .rain)
    strip.right(slot.wet > 0 ? DecimalText.fixed(slot.wet) + " mm" : "", in: 9, .rain)
    guard view.width >= 80, let wind = slot.wind else { return }
    let from = (view.ascii ? wind.name?[view.language].plain : wind.arrow) ?? ""
    strip.add("  ")
    strip.left(from, in: view.ascii ? 7 : 3)
    strip.right(DecimalText.fixed(wind.speed) + " m/s", in: 8)
  }
}
