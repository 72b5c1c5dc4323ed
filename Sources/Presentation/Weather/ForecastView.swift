import Text
import WeatherAPI

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
  func lines(_ days: [LocalDay]) -> [FigureLine]? {
    let columns = LocalDay.periodStartMinutes(of: days)
    guard !columns.isEmpty, columns.count <= 8, view.width >= 63 else { return nil }
    let measures = [
      ColumnWidths(day: 11, cell: 11, showsChance: true), ColumnWidths(day: 11, cell: 7, showsChance: false),
      ColumnWidths(day: 10, cell: 7, showsChance: false), ColumnWidths(day: 8, cell: 5, showsChance: false),
    ]
    guard let measure = measures.first(where: { $0.total(8) <= view.width }) else { return nil }
    return [head(columns, measure)] + days.map { row($0, columns, in: measure) }
  }

  private func head(_ columns: [Int], _ measure: ColumnWidths) -> FigureLine {
    var line = FigureLine(view.cells)
    line.pad(to: measure.day)
    for minute in columns {
      let hour = DecimalText.twoDigits(minute / 60)
      let text = minute % 60 == 0 ? hour : hour + (measure.cell > 5 ? ":" : "") + DecimalText.twoDigits(minute % 60)
      line.appendTrailing(text, in: min(3, measure.cell), .dim)
      line.pad(to: line.width + measure.cell - max(3, view.cells.of(text)))
    }
    line.appendTrailing(view.say("low/high", ko: "최저/최고"), in: measure.range, .dim)
    line.appendTrailing("mm", in: measure.rain, .dim)
    return line
  }

  private func row(_ day: LocalDay, _ columns: [Int], in measure: ColumnWidths) -> FigureLine {
    var line = FigureLine(view.cells)
    let label = day.date.dayLabel(in: view.language)
    // Without the month the label fits next to any temperature, in the forecast of every place.
    line.appendLeading(measure.day < 11 ? String(label.dropFirst(3)) : label, in: measure.day)
    for minute in columns {
      let end = line.width + measure.cell
      if let slot = day.slot(at: minute) { add(slot, to: &line, in: measure) }
      line.pad(to: end)
    }
    addRange(of: day, to: &line, in: measure.range)
    if day.wet > 0 {
      line.appendTrailing(DecimalText.fixed(day.wet, day.wet < 99.95 ? 1 : 0), in: measure.rain, .accent)
    }
    return line
  }

  private func add(_ slot: ForecastPeriod, to line: inout FigureLine, in measure: ColumnWidths) {
    let text = slot.temperature.map { DecimalText.fixed($0, 0) } ?? "-"
    line.appendTrailing(text, in: 3, .temperature(slot.temperature))
    line.appendLeading(view.glyph(slot.conditions), in: 2)
    if measure.showsChance, let chance = slot.precipitationProbability, chance >= 0.005 {
      line.appendTrailing(DecimalText.fixed(chance * 100, 0) + "%", in: 5, .accent)
    }
  }

  private func addRange(of day: LocalDay, to line: inout FigureLine, in room: Int) {
    guard let low = day.lowest, let high = day.highest else { return line.pad(to: line.width + room) }
    let texts = (DecimalText.fixed(low, 0), DecimalText.fixed(high, 0))
    line.pad(to: line.width + room - view.cells.of(texts.0 + "/" + texts.1))
    line.add(texts.0, .temperature(low))
    line.add("/", .dim)
    line.add(texts.1, .temperature(high))
  }
}

/// The days on a narrow screen: a heading per day, followed by its slots.
struct FoldedDays {
  let view: WeatherView

  func lines(_ days: [LocalDay]) -> [FigureLine] {
    days.flatMap { day in
      [heading(day)] + FigureLine.wrap(day.slots.map(entry), gap: 1, within: view.width)
    }
  }

  private func heading(_ day: LocalDay) -> FigureLine {
    var line = FigureLine(view.cells, day.date.dayLabel(in: view.language), style: .bold)
    if let low = day.lowest, let high = day.highest {
      line.add("  ")
      line.add(DecimalText.fixed(low, 0), .temperature(low))
      line.add("/", .dim)
      line.add(DecimalText.fixed(high, 0) + view.degree, .temperature(high))
    }
    if day.wet > 0 { line.add("  " + DecimalText.fixed(day.wet) + " mm", .accent) }
    return line
  }

  private func entry(_ time: PlaceTime, _ slot: ForecastPeriod) -> FigureLine {
    var line = FigureLine(view.cells, " ")
    line.add(time.minute == 0 ? DecimalText.twoDigits(time.hour) : time.clock, .dim)
    line.appendTrailing(
      slot.temperature.map { DecimalText.fixed($0, 0) } ?? "-", in: 4, .temperature(slot.temperature))
    line.appendLeading(view.glyph(slot.conditions), in: 2)
    return line
  }
}

/// A list with one row per slot: date, temperature, sky, as in the phone app, and the probability and amount of rain
/// and the wind.
struct SlotList {
  let view: WeatherView

  func lines(_ days: [LocalDay]) -> [FigureLine] {
    let entries = days.flatMap(\.slots)
    let dates = entries.map { $0.time.label(in: view.language) }
    let temperatures = entries.map { view.degrees($0.slot.temperature) }
    let dateRoom = dates.map(view.cells.of).max() ?? 0
    let room = temperatures.map(view.cells.of).max() ?? 0
    let words = entries.map { view.names($0.slot.conditions) }
    let wordRoom = min(24, words.map(view.cells.of).max() ?? 0)
    return entries.indices.map { index in
      let slot = entries[index].slot
      var line = FigureLine(view.cells)
      line.appendLeading(dates[index], in: dateRoom + 1)
      line.appendTrailing(temperatures[index], in: room, .temperature(slot.temperature))
      line.add(" ")
      line.appendLeading(view.glyph(slot.conditions), in: 3)
      line.appendLeading(words[index], in: wordRoom + 1)
      if view.width >= 63 { addRainAndWind(of: slot, to: &line) }
      return line
    }
  }

  private func addRainAndWind(of slot: ForecastPeriod, to line: inout FigureLine) {
    let chance =
      slot.precipitationProbability.flatMap { $0 >= 0.005 ? DecimalText.fixed($0 * 100, 0) + "%" : nil } ?? ""
    line.appendTrailing(chance, in: 4, .accent)
    line.appendTrailing(slot.wet > 0 ? DecimalText.fixed(slot.wet) + " mm" : "", in: 9, .accent)
    guard view.width >= 80, let wind = slot.wind else { return }
    let from = (view.isASCII ? wind.name?[view.language].plain : wind.arrow) ?? ""
    line.add("  ")
    line.appendLeading(from, in: view.isASCII ? 7 : 3)
    line.appendTrailing(DecimalText.fixed(wind.speed) + " m/s", in: 8)
  }
}

/// A chart of all temperatures as a row of bars, with the rain below it, and below that the days.
struct TemperatureChart {
  let view: WeatherView

  func lines(_ days: [LocalDay], now: Int) -> [FigureLine] {
    let slots = days.flatMap { $0.slots.map(\.slot) }
    // Forty slots are five days; more would not fit on a line with their labels.
    guard slots.count > 1, slots.count <= 40 else { return [] }
    let temperatures = slots.map(\.temperature)
    guard let low = temperatures.compactMap(\.self).min(), let high = temperatures.compactMap(\.self).max() else {
      return []
    }
    let hasRoom = view.width >= 63
    var lines: [FigureLine] = []
    if !hasRoom {
      lines.append(FigureLine(view.cells, view.say("temp", ko: "기온") + " " + range(low, high), style: .dim))
    }
    var curve = margin(view.say("temp", ko: "기온"), hasRoom)
    for (level, value) in zip(Sparkline.levels(temperatures), temperatures) {
      curve.add(level.map { bars[$0] } ?? " ", .temperature(value))
    }
    if hasRoom { curve.add("  " + range(low, high), .dim) }
    lines.append(curve)
    lines += rain(slots, hasRoom)
    lines.append(ticks(days, now: now, hasRoom))
    return lines
  }

  private func range(_ low: Double, _ high: Double) -> String { view.degrees(low) + " ~ " + view.degrees(high) }

  private func margin(_ label: String, _ hasRoom: Bool) -> FigureLine {
    var line = FigureLine(view.cells)
    if hasRoom { line.appendLeading(label, in: 5, .dim) }
    return line
  }

  private func rain(_ slots: [ForecastPeriod], _ hasRoom: Bool) -> [FigureLine] {
    let wet = slots.map(\.wet)
    guard let most = wet.max(), most > 0 else { return [] }
    var line = margin(view.say("rain", ko: "강수"), hasRoom)
    for level in Sparkline.amounts(wet) { line.add(level.map { bars[$0] } ?? " ", .accent) }
    if hasRoom {
      line.add("  " + view.say("up to \(DecimalText.fixed(most)) mm", ko: "최대 \(DecimalText.fixed(most)) mm"), .dim)
    }
    return [line]
  }

  /// Returns the axis: the day of the month below its first slot, and a mark below the current slot.
  private func ticks(_ days: [LocalDay], now: Int, _ hasRoom: Bool) -> FigureLine {
    var line = margin("", hasRoom)
    for day in days {
      var marks = Array("|" + day.date.dayOfMonth).map(String.init)
      marks = Array((marks + Array(repeating: " ", count: 40)).prefix(day.slots.count))
      for (index, entry) in day.slots.enumerated() {
        let isNow = (entry.slot.time..<entry.slot.time + 10_800).contains(now)
        line.add(isNow ? "^" : marks[index], isNow ? .bold : .dim)
      }
    }
    return line
  }

  /// Bars of eight heights, one cell each.
  ///
  /// Braille is used if blocks are two cells wide.
  private var bars: [String] {
    if view.isASCII { return Array("_.-~=+*#").map(String.init) }
    let blocks = Array("▁▂▃▄▅▆▇█").map(String.init)
    return blocks.allSatisfy { view.cells.of($0) == 1 } ? blocks : Array("⡀⣀⣄⣤⣦⣶⣷⣿").map(String.init)
  }
}

/// The appearance of the sky, in the nine pictures of the service.
package enum WeatherIcon: Hashable, Sendable, CaseIterable {
  case clear, fewClouds, clouds, overcast, shower, rain, thunder, snow, mist
  case unknown

  /// Creates the picture from the icon's code, else the condition's number, else its group.
  package init(_ condition: WeatherCondition?) {
    switch condition?.icon?.prefix(2) {
    case "01": self = .clear
    case "02": self = .fewClouds
    case "03": self = .clouds
    case "04": self = .overcast
    case "09": self = .shower
    case "10": self = .rain
    case "11": self = .thunder
    case "13": self = .snow
    case "50": self = .mist
    default: self = condition?.id.map(WeatherIcon.init(id:)) ?? .unknown
    }
  }

  package init(id: Int) {
    switch id {
    case 800: self = .clear
    case 801: self = .fewClouds
    case 802: self = .clouds
    case 803...899: self = .overcast
    case 511: self = .snow
    case 520...599, 300...399: self = .shower
    case 500...519: self = .rain
    case 200...299: self = .thunder
    case 600...699: self = .snow
    case 700...799: self = .mist
    default: self = .unknown
    }
  }

  /// Returns one or two cells of characters whose width is the same on all terminals.
  func glyph(isNight: Bool, ascii: Bool) -> String {
    switch self {
    case .clear: ascii ? (isNight ? ")" : "o") : (isNight ? "☾" : "☀")
    case .fewClouds: ascii ? "m" : "⛅"
    case .clouds: ascii ? "mm" : "☁"
    case .overcast: ascii ? "MM" : "☁"
    case .shower: ascii ? "." : "☂"
    case .rain: ascii ? "/" : "☔"
    case .thunder: ascii ? "/!" : "⚡"
    case .snow: ascii ? "*" : "❄"
    case .mist: ascii ? "=" : "≋"
    case .unknown: "?"
    }
  }

  /// The width of `art` in cells.
  static let artWidth = 11

  /// Returns a picture in five lines of ASCII.
  func art(isNight: Bool) -> [String] {
    switch self {
    case .clear where isNight: ["     _.", "   .' /", "   | |", "   '. \\", "     `-'"]
    case .clear: ["   \\ | /", "    .-.", " - (   ) -", "    `-'", "   / | \\"]
    case .fewClouds: ["  \\ |", "  .-.__", " -( (  ).", "  (_____)", ""]
    case .clouds: ["", "    .--.", "  .(    ).", " (___.___)", ""]
    case .overcast: ["   .--.", " .(  .--.", "(__.(    ).", "  (___.___)", ""]
    case .shower: ["   .--.", " .(    ).", "(___.___)", "  '  '  '", " '  '  '"]
    case .rain: ["   .--.", " .(    ).", "(___.___)", "  / / / /", " / / / /"]
    case .thunder: ["   .--.", " .(    ).", "(___.___)", "   /_ /_", "   /  /"]
    case .snow: ["   .--.", " .(    ).", "(___.___)", "  *  *  *", "   *  *"]
    case .mist: ["", " _ - _ - _", "  _ - _ -", " _ - _ - _", ""]
    case .unknown: ["    .-.", "   '   )", "      /", "     '", "     o"]
    }
  }
}
