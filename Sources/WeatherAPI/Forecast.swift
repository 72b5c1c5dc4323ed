import Text

/// The current weather.
///
/// Any member may be missing, because the service omits what a station does not measure.
package struct CurrentConditions: Hashable, Sendable {
  /// The time of measurement as a Unix time.
  package var time: Int?
  /// The offset from UTC in seconds to the east.
  package var offset: Int?
  package var conditions: [WeatherCondition]
  /// The temperature in °C, like the next three.
  ///
  /// The lowest and highest are those within the city now, not of the day.
  package var temperature: Double?
  package var feelsLike: Double?
  package var minTemperature: Double?
  package var maxTemperature: Double?
  /// The pressure in hPa.
  package var pressure: Double?
  /// The humidity in percent.
  package var humidity: Int?
  /// The visibility in metres, at most 10000.
  package var visibility: Int?
  package var wind: Wind?
  /// The cloud cover in percent.
  package var clouds: Int?
  /// The rain of the last hour in mm.
  package var rain: Double?
  package var snow: Double?
  /// The Unix time of sunrise, or `nil` if the sun does not rise.
  package var sunrise: Int?
  package var sunset: Int?
  /// The name of the station in Latin letters, in any language.
  package var name: String?
  package var country: String?
}

/// The forecast of five days in slots of three hours, in chronological order.
package struct Forecast: Hashable, Sendable {
  package var slots: [ForecastPeriod]
  package var name: String?
  package var country: String?
  /// The offset from UTC in seconds to the east, the same for all slots.
  package var offset: Int?
}

/// Three hours of a forecast.
package struct ForecastPeriod: Hashable, Sendable {
  /// The start as a Unix time.
  package var time: Int
  package var conditions: [WeatherCondition]
  /// The temperature in °C, like the next three.
  package var temperature: Double?
  package var feelsLike: Double?
  package var lowest: Double?
  package var highest: Double?
  /// The pressure in hPa.
  package var pressure: Double?
  /// The humidity in percent.
  package var humidity: Int?
  package var visibility: Int?
  package var wind: Wind?
  package var clouds: Int?
  /// The probability of precipitation, 0 to 1.
  package var precipitationProbability: Double?
  /// The rain in these three hours in mm.
  package var rain: Double?
  package var snow: Double?

  /// The precipitation in mm.
  package var wet: Double { (rain ?? 0) + (snow ?? 0) }
}

extension ForecastPeriod {
  /// Creates a period without measurements.
  package init(at time: Int) { self.init(time: time, conditions: []) }
}

/// The slots of one calendar day at the place.
///
/// The first and the last day are partial, so five days span six dates.
package struct LocalDay: Sendable {
  package let date: LocalTime
  package private(set) var slots: [(time: LocalTime, slot: ForecastPeriod)]

  /// The lowest temperature of the slots in °C.
  package var lowest: Double? { slots.compactMap(\.slot.temperature).min() }
  package var highest: Double? { slots.compactMap(\.slot.temperature).max() }
  /// The rain of the slots in mm.
  package var rain: Double { slots.compactMap(\.slot.rain).reduce(0, +) }
  package var snow: Double { slots.compactMap(\.slot.snow).reduce(0, +) }
  package var wet: Double { rain + snow }

  /// Returns the slot that begins at a minute of the local day, or `nil`.
  package func slot(at minuteOfDay: Int) -> ForecastPeriod? {
    slots.first { $0.time.minuteOfDay == minuteOfDay }?.slot
  }

  static func days(of slots: [ForecastPeriod], offset: Int) -> [LocalDay] {
    var days: [LocalDay] = []
    for slot in slots {
      let time = LocalTime(slot.time, offset: offset)
      if days.last?.date.day != time.day { days.append(LocalDay(date: time, slots: [])) }
      days[days.count - 1].slots.append((time, slot))
    }
    return days
  }

  /// Returns the local times at which slots begin, in minutes of the day: 00, 03, … if the offset allows that,
  /// otherwise 02:30, 05:30, ….
  package static func periodStartMinutes(of days: [LocalDay]) -> [Int] {
    Set(days.flatMap { $0.slots.map(\.time.minuteOfDay) }).sorted()
  }
}

/// The direction and speed of the wind.
package struct Wind: Hashable, Sendable {
  /// The speed in m/s.
  package var speed: Double
  /// The direction that the wind comes from, in degrees clockwise from north.
  ///
  /// The service writes north as 0 or 360.
  package var degrees: Double?
  /// The gusts in m/s.
  package var gust: Double?

  /// The direction in steps of 45 degrees clockwise, 0 for north; `nil` if unknown.
  package var octant: Int? {
    guard let degrees, degrees.isFinite, abs(degrees) < 1e6 else { return nil }
    let turned = (degrees + 22.5).truncatingRemainder(dividingBy: 360)
    return Int(exactly: ((turned + 360).truncatingRemainder(dividingBy: 360) / 45).rounded(.down))
  }

  /// An arrow in the direction the wind blows to: a north wind blows down the page.
  package var arrow: String? { octant.map { ["↓", "↙", "←", "↖", "↑", "↗", "→", "↘"][$0 % 8] } }

  /// The name of the wind by its direction.
  package var name: LocalizedText? {
    let names = [
      LocalizedText("N", ko: "북풍"), LocalizedText("NE", ko: "북동풍"), LocalizedText("E", ko: "동풍"),
      LocalizedText("SE", ko: "남동풍"),
      LocalizedText("S", ko: "남풍"), LocalizedText("SW", ko: "남서풍"), LocalizedText("W", ko: "서풍"),
      LocalizedText("NW", ko: "북서풍"),
    ]
    return octant.map { names[$0 % 8] }
  }
}
