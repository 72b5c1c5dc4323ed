import Text

/// The results of the three requests.
///
/// Each may fail independently, and the rest is still shown.
package struct WeatherReport: Hashable, Sendable {
  /// The result of one of the three requests.
  package enum Part<Value: Hashable & Sendable>: Hashable, Sendable {
    /// A current response: received now or within the last ten minutes.
    case fresh(Value)
    /// An older response, because a new one was not available.
    case stale(Value, WeatherError)
    case failed(WeatherError)

    package var value: Value? {
      switch self {
      case .fresh(let value), .stale(let value, _): value
      case .failed: nil
      }
    }

    package var error: WeatherError? {
      switch self {
      case .fresh: nil
      case .stale(_, let error), .failed(let error): error
      }
    }

    package var isStale: Bool { value != nil && error != nil }
  }

  /// The requested place.
  package var place: Place
  package var address: Part<[Place]>
  package var current: Part<CurrentConditions>
  package var forecast: Part<Forecast>
  package var language: MessageLanguage
  package var isSample = false

  /// Indicates that there is no weather, not even an old response: exit status 1 or 3.
  package var isFailure: Bool { current.value == nil && forecast.value == nil }

  package var errors: [WeatherError] { failures.map(\.error) }

  /// The failed parts in order.
  package var failures: [(name: LocalizedText, key: String, error: WeatherError, isStale: Bool)] {
    let parts = [
      (LocalizedText("address", ko: "주소"), "address", address.error, address.isStale),
      (LocalizedText("weather now", ko: "현재 날씨"), "current", current.error, current.isStale),
      (LocalizedText("five-day forecast", ko: "5일 예보"), "forecast", forecast.error, forecast.isStale),
    ]
    return parts.compactMap { part in part.2.map { (part.0, part.1, $0, part.3) } }
  }

  /// The offset of the place from UTC in seconds to the east; 0 if unknown.
  package var utcOffset: Int { current.value?.offset ?? forecast.value?.offset ?? 0 }

  /// Returns the name of the place: the requested name first, coordinates last.
  package func name(in language: MessageLanguage) -> String {
    place.name(in: language) ?? resolvedName(in: language) ?? place.coordinate.text
  }

  /// Returns the name of the nearest locality, or of the station.
  package func resolvedName(in language: MessageLanguage) -> String? {
    address.value?.first?.name(in: language) ?? current.value?.name ?? forecast.value?.name
  }

  package var country: String? {
    place.country ?? address.value?.first?.country ?? current.value?.country ?? forecast.value?.country
  }

  /// Returns `서울, KR`, or `우리집 (서울, KR)` if the requested name differs from the one found.
  package func title(in language: MessageLanguage) -> String {
    let asked = name(in: language)
    let land = country.map { ", " + $0 } ?? ""
    guard let found = resolvedName(in: language), found != asked else { return asked + land }
    return asked + " (" + found + land + ")"
  }

  package var days: [LocalDay] { LocalDay.days(of: forecast.value?.slots ?? [], offset: utcOffset) }
}

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
  package let date: PlaceTime
  package private(set) var slots: [(time: PlaceTime, slot: ForecastPeriod)]

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
      let time = PlaceTime(slot.time, offset: offset)
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

/// The local time of a place, by the place's own offset and never by this machine's time zone.
package struct PlaceTime: Hashable, Sendable {
  /// The number of days since 1970-01-01 in the local calendar.
  package let day: Int
  package let calendarDate: CivilDate
  package let secondOfDay: Int

  package var hour: Int { secondOfDay / 3600 }
  package var minute: Int { secondOfDay / 60 % 60 }
  package var minuteOfDay: Int { secondOfDay / 60 }

  /// Creates the local time of a Unix time, `instant`, at a place whose `offset` from UTC is in seconds to the east.
  package init(_ instant: Int, offset: Int) {
    let local = CivilDate.split(seconds: Int64(instant + offset))
    calendarDate = local.date
    day = Int(local.date.daysSince1970)
    secondOfDay = Int(local.secondOfDay)
  }

  /// The date, such as `2021-10-01`.
  package var date: String { calendarDate.description }

  /// The day of the month as two digits.
  package var dayOfMonth: String { DecimalText.twoDigits(Int(calendarDate.day)) }

  /// The time of day, such as `06:27`.
  package var clock: String { DecimalText.twoDigits(hour) + ":" + DecimalText.twoDigits(minute) }

  /// The date and time, such as `2021-10-01T06:27:12`.
  package var description: String { date + "T" + clock + ":" + DecimalText.twoDigits(secondOfDay % 60) }

  /// Returns the date and weekday, such as `10/01(금)` or `10/01(Fri)`.
  package func dayLabel(in language: MessageLanguage) -> String {
    "\(DecimalText.twoDigits(Int(calendarDate.month)))/\(dayOfMonth)(\(weekdayName[language].plain))"
  }

  /// Returns `10/01(금) 12시` at a full hour and `10/01(금) 02:30` otherwise; English always has hours and minutes.
  package func label(in language: MessageLanguage) -> String {
    switch language {
    case .korean where minute == 0: dayLabel(in: language) + " " + DecimalText.twoDigits(hour) + "시"
    case .korean, .english: dayLabel(in: language) + " " + clock
    }
  }

  package var weekdayName: LocalizedText {
    let names = [
      LocalizedText("Sun", ko: "일"), LocalizedText("Mon", ko: "월"), LocalizedText("Tue", ko: "화"),
      LocalizedText("Wed", ko: "수"),
      LocalizedText("Thu", ko: "목"), LocalizedText("Fri", ko: "금"), LocalizedText("Sat", ko: "토"),
    ]
    return names[Int(calendarDate.weekday)]
  }
}

/// A weather condition of the service; there may be several at a time.
package struct WeatherCondition: Hashable, Sendable {
  package var id: Int?
  /// The service's description in the requested language.
  package var text: String?
  /// The icon's code, such as `10d`: one of nine pictures by day or night.
  package var icon: String?

  package var isNight: Bool { icon?.hasSuffix("n") ?? false }

  /// Returns our name of the condition, else that of the service, else that of its group, else `?`.
  ///
  /// The service's Korean is machine-translated ("온흐림", "실 비"), so our own names are used by number, and the service's
  /// only for an unknown number.
  package func name(in language: MessageLanguage) -> String {
    if let id, let name = WeatherCondition.names[id] { return name[language].plain }
    if let text { return text }
    if let id, let name = WeatherCondition.groups[id / 100] { return name[language].plain }
    return "?"
  }

  /// The names of the groups, such as `5xx`.
  private static let groups: [Int: LocalizedText] = [
    2: LocalizedText("thunderstorm", ko: "천둥번개"), 3: LocalizedText("drizzle", ko: "이슬비"),
    5: LocalizedText("rain", ko: "비"),
    6: LocalizedText("snow", ko: "눈"), 7: LocalizedText("mist", ko: "안개"), 8: LocalizedText("clouds", ko: "구름"),
  ]

  /// The names by number; source: openweathermap.org/weather-conditions.
  static let names: [Int: LocalizedText] = [
    200: LocalizedText("thunderstorm with light rain", ko: "약한 비와 천둥번개"),
    201: LocalizedText("thunderstorm with rain", ko: "비와 천둥번개"),
    202: LocalizedText("thunderstorm with heavy rain", ko: "강한 비와 천둥번개"),
    210: LocalizedText("light thunderstorm", ko: "약한 천둥번개"),
    211: LocalizedText("thunderstorm", ko: "천둥번개"),
    212: LocalizedText("heavy thunderstorm", ko: "강한 천둥번개"),
    221: LocalizedText("ragged thunderstorm", ko: "곳곳에 천둥번개"),
    230: LocalizedText("thunderstorm with light drizzle", ko: "약한 이슬비와 천둥번개"),
    231: LocalizedText("thunderstorm with drizzle", ko: "이슬비와 천둥번개"),
    232: LocalizedText("thunderstorm with heavy drizzle", ko: "강한 이슬비와 천둥번개"),
    300: LocalizedText("light drizzle", ko: "약한 이슬비"),
    301: LocalizedText("drizzle", ko: "이슬비"),
    302: LocalizedText("heavy drizzle", ko: "강한 이슬비"),
    310: LocalizedText("light drizzle rain", ko: "약한 가랑비"),
    311: LocalizedText("drizzle rain", ko: "가랑비"),
    312: LocalizedText("heavy drizzle rain", ko: "강한 가랑비"),
    313: LocalizedText("shower rain and drizzle", ko: "소나기와 이슬비"),
    314: LocalizedText("heavy shower rain and drizzle", ko: "강한 소나기와 이슬비"),
    321: LocalizedText("shower drizzle", ko: "소나기성 이슬비"),
    500: LocalizedText("light rain", ko: "약한 비"),
    501: LocalizedText("moderate rain", ko: "비"),
    502: LocalizedText("heavy rain", ko: "강한 비"),
    503: LocalizedText("very heavy rain", ko: "매우 강한 비"),
    504: LocalizedText("extreme rain", ko: "극한호우"),
    511: LocalizedText("freezing rain", ko: "어는 비"),
    520: LocalizedText("light shower rain", ko: "약한 소나기"),
    521: LocalizedText("shower rain", ko: "소나기"),
    522: LocalizedText("heavy shower rain", ko: "강한 소나기"),
    531: LocalizedText("ragged shower rain", ko: "곳곳에 소나기"),
    600: LocalizedText("light snow", ko: "약한 눈"),
    601: LocalizedText("snow", ko: "눈"),
    602: LocalizedText("heavy snow", ko: "강한 눈"),
    611: LocalizedText("sleet", ko: "진눈깨비"),
    612: LocalizedText("light shower sleet", ko: "약한 소낙성 진눈깨비"),
    613: LocalizedText("shower sleet", ko: "소낙성 진눈깨비"),
    615: LocalizedText("light rain and snow", ko: "약한 비와 눈"),
    616: LocalizedText("rain and snow", ko: "비와 눈"),
    620: LocalizedText("light shower snow", ko: "약한 소낙눈"),
    621: LocalizedText("shower snow", ko: "소낙눈"),
    622: LocalizedText("heavy shower snow", ko: "강한 소낙눈"),
    701: LocalizedText("mist", ko: "박무"),
    711: LocalizedText("smoke", ko: "연기"),
    721: LocalizedText("haze", ko: "연무"),
    731: LocalizedText("dust whirls", ko: "회오리 먼지"),
    741: LocalizedText("fog", ko: "안개"),
    751: LocalizedText("sand", ko: "모래"),
    761: LocalizedText("dust", ko: "먼지"),
    762: LocalizedText("volcanic ash", ko: "화산재"),
    771: LocalizedText("squalls", ko: "돌풍"),
    781: LocalizedText("tornado", ko: "토네이도"),
    800: LocalizedText("clear sky", ko: "맑음"),
    801: LocalizedText("few clouds", ko: "구름 조금"),
    802: LocalizedText("scattered clouds", ko: "구름 약간 많음"),
    803: LocalizedText("broken clouds", ko: "구름 많음"),
    804: LocalizedText("overcast", ko: "흐림"),
  ]
}
