import Text
import WeatherAPI

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
    let chance =
      slot.precipitationProbability.flatMap { $0 >= 0.005 ? DecimalText.fixed($0 * 100, 0) + "%" : nil } ?? ""
    strip.appendTrailing(chance, in: 4, .rain)
    strip.appendTrailing(slot.wet > 0 ? DecimalText.fixed(slot.wet) + " mm" : "", in: 9, .rain)
    guard view.width >= 80, let wind = slot.wind else { return }
    let from = (view.ascii ? wind.name?[view.language].plain : wind.arrow) ?? ""
    strip.add("  ")
    strip.appendLeading(from, in: view.ascii ? 7 : 3)
    strip.appendTrailing(DecimalText.fixed(wind.speed) + " m/s", in: 8)
  }
}
