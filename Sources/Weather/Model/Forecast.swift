import Text

/// The forecast of five days in slots of three hours, in chronological order.
package struct Forecast: Hashable, Sendable {
  package var slots: [ForecastPeriod]
  package var name: String?
  package var country: String?
  /// The offset from UTC in seconds to the east, the same for all slots.
  package var offset: Int?
  package var sunrise: Int?
  package var sunset: Int?
}

/// Three hours of a forecast.
package struct ForecastPeriod: Hashable, Sendable {
  /// The start as a Unix time.
  package var time: Int
  package var sky: [Sky]
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
  package init(at time: Int) { self.init(time: time, sky: []) }
}

/// The slots of one calendar day at the place.
///
/// The first and the last day are partial, so five days span six dates.
package struct LocalDay: Hashable, Sendable {
  package var date: LocalTime
  package var slots: [(time: LocalTime, slot: ForecastPeriod)] { times.indices.map { (times[$0], parts[$0]) } }
  private var times: [LocalTime]
  private var parts: [ForecastPeriod]

  /// The lowest temperature of the slots in °C.
  package var lowest: Double? { parts.compactMap(\.temperature).min() }
  package var highest: Double? { parts.compactMap(\.temperature).max() }
  /// The rain of the slots in mm.
  package var rain: Double { parts.compactMap(\.rain).reduce(0, +) }
  package var snow: Double { parts.compactMap(\.snow).reduce(0, +) }
  package var wet: Double { rain + snow }

  /// Returns the slot that begins at a minute of the local day, or `nil`.
  package func slot(at minuteOfDay: Int) -> ForecastPeriod? {
    times.firstIndex { $0.minuteOfDay == minuteOfDay }.map { parts[$0] }
  }

  static func days(of slots: [ForecastPeriod], offset: Int) -> [LocalDay] {
    var days: [LocalDay] = []
    for slot in slots {
      let time = LocalTime(slot.time, offset: offset)
      if days.last?.date.day != time.day { days.append(LocalDay(date: time, times: [], parts: [])) }
      days[days.count - 1].times.append(time)
      days[days.count - 1].parts.append(slot)
    }
    return days
  }

  /// Returns the local times at which slots begin, in minutes of the day: 00, 03, … if the offset allows that,
  /// otherwise 02:30, 05:30, ….
  package static func periodStartMinutes(of days: [LocalDay]) -> [Int] {
    Set(days.flatMap { $0.times.map(\.minuteOfDay) }).sorted()
  }
}

/// The local time of a place, by the place's own offset and never by this machine's time zone.
package struct LocalTime: Hashable, Sendable {
  /// The number of days since 1970-01-01 in the local calendar.
  package let day: Int
  package let calendarDate: CivilDate
  package let secondOfDay: Int

  package var hour: Int { secondOfDay / 3600 }
  package var minute: Int { secondOfDay / 60 % 60 }
  package var minuteOfDay: Int { secondOfDay / 60 }

  /// Creates the local time of a Unix time, `instant`, at a place whose `utcOffset` from UTC is in seconds to the east.
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
