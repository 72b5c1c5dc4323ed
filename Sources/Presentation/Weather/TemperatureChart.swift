import Text
import WeatherAPI

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
