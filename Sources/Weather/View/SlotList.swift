/// One row a slot: date, temperature, sky, as the phone app lists them, and the chance and amount of rain and the wind.
struct SlotList {
  let view: WeatherView

  func strips(_ days: [LocalDay]) -> [Strip] {
    let entries = days.flatMap(\.slots)
    let dates = entries.map { $0.time.label(in: view.language) }
    let temperatures = entries.map { view.degrees($0.slot.temperature) }
    let dateRoom = dates.map(view.cells).max() ?? 0
    let room = temperatures.map(view.cells).max() ?? 0
    let words = entries.map { view.words($0.slot.sky) }
    let wordRoom = min(24, words.map(view.cells).max() ?? 0)
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
    let chance = slot.chance.flatMap { $0 >= 0.005 ? Figures.fixed($0 * 100, 0) + "%" : nil } ?? ""
    strip.right(chance, in: 4, .rain)
    strip.right(slot.wet > 0 ? Figures.fixed(slot.wet) + " mm" : "", in: 9, .rain)
    guard view.width >= 80, let wind = slot.wind else { return }
    let from = (view.ascii ? wind.name?[view.language] : wind.arrow) ?? ""
    strip.add("  ")
    strip.left(from, in: view.ascii ? 7 : 3)
    strip.right(Figures.fixed(wind.speed) + " m/s", in: 8)
  }
}
