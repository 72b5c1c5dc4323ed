/// All temperatures in one row of bars, rain under it, and under that where the days begin.
struct Curve {
  let view: WeatherView

  func strips(_ days: [LocalDay], now: Int) -> [Strip] {
    let slots = days.flatMap { $0.slots.map(\.slot) }
    // Forty slots are five days; more would not fit on a line beside their labels.
    guard slots.count > 1, slots.count <= 40 else { return [] }
    let temperatures = slots.map(\.temperature)
    guard let low = temperatures.compactMap(\.self).min(), let high = temperatures.compactMap(\.self).max() else {
      return []
    }
    let hasRoom = view.width >= 63
    var lines: [Strip] = []
    if !hasRoom { lines.append(legend(low, high)) }
    var curve = margin(view.say("temp", "기온"), hasRoom)
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

  private func legend(_ low: Double, _ high: Double) -> Strip {
    var strip = view.strip
    strip.add(view.say("temp", "기온") + " " + range(low, high), .dim)
    return strip
  }

  private func margin(_ label: String, _ hasRoom: Bool) -> Strip {
    var strip = view.strip
    if hasRoom { strip.left(label, in: 5, .dim) }
    return strip
  }

  private func rain(_ slots: [Slot], _ hasRoom: Bool) -> [Strip] {
    let wet = slots.map(\.wet)
    guard let most = wet.max(), most > 0 else { return [] }
    var strip = margin(view.say("rain", "강수"), hasRoom)
    for level in Sparkline.amounts(wet) { strip.add(level.map { bars[$0] } ?? " ", .rain) }
    if hasRoom { strip.add("  " + view.say("up to \(Figures.fixed(most)) mm", "최대 \(Figures.fixed(most)) mm"), .dim) }
    return [strip]
  }

  /// The day of the month under its first slot, and a mark under the slot that is now.
  private func ticks(_ days: [LocalDay], _ now: Int, _ hasRoom: Bool) -> Strip {
    var strip = margin("", hasRoom)
    for day in days {
      var marks = Array("|" + Figures.two(day.start.dayOfMonth)).map(String.init)
      marks = Array((marks + Array(repeating: " ", count: 40)).prefix(day.slots.count))
      for (index, entry) in day.slots.enumerated() {
        let isNow = (entry.slot.time..<entry.slot.time + 10_800).contains(now)
        strip.add(isNow ? "^" : marks[index], isNow ? .strong : .dim)
      }
    }
    return strip
  }

  /// Eight heights of one cell each. Where blocks take two cells, braille does not.
  private var bars: [String] {
    if view.ascii { return Array("_.-~=+*#").map(String.init) }
    let blocks = Array("▁▂▃▄▅▆▇█").map(String.init)
    return blocks.allSatisfy { view.cells($0) == 1 } ? blocks : Array("⡀⣀⣄⣤⣦⣶⣷⣿").map(String.init)
  }
}
