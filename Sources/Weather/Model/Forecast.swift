import Text

/// Five days in slots of three hours, in the order of time.
package struct Forecast: Hashable, Sendable {
  package var slots: [Slot]
  package var name: String?
  package var country: String?
  /// Seconds east of UTC, one for all slots.
  package var offset: Int?
  package var sunrise: Int?
  package var sunset: Int?
}

/// Three hours of a forecast.
package struct Slot: Hashable, Sendable {
  /// Seconds since 1970 UTC.
  package var time: Int
  package var sky: [Sky]
  /// °C, as are the next three.
  package var temperature: Double?
  package var feelsLike: Double?
  package var lowest: Double?
  package var highest: Double?
  /// hPa
  package var pressure: Double?
  /// Percent.
  package var humidity: Int?
  package var visibility: Int?
  package var wind: Wind?
  package var clouds: Int?
  /// How likely rain or snow is, 0 to 1.
  package var chance: Double?
  /// mm in these three hours.
  package var rain: Double?
  package var snow: Double?

  /// Rain and snow together, in mm.
  package var wet: Double { (rain ?? 0) + (snow ?? 0) }
}

/// The slots of one calendar day at the place; the first and the last day are partial, so five days touch six.
package struct LocalDay: Hashable, Sendable {
  package var start: LocalTime
  package var slots: [(time: LocalTime, slot: Slot)] { times.indices.map { (times[$0], parts[$0]) } }
  private var times: [LocalTime]
  private var parts: [Slot]

  /// Lowest and highest of the day's slots, °C.
  package var lowest: Double? { parts.compactMap(\.temperature).min() }
  package var highest: Double? { parts.compactMap(\.temperature).max() }
  /// mm over the day's slots.
  package var rain: Double { parts.compactMap(\.rain).reduce(0, +) }
  package var snow: Double { parts.compactMap(\.snow).reduce(0, +) }
  package var wet: Double { rain + snow }

  /// The slot that begins at that minute of the local day; nil where the day has none then.
  package func slot(at minuteOfDay: Int) -> Slot? {
    times.firstIndex { $0.minuteOfDay == minuteOfDay }.map { parts[$0] }
  }

  static func days(of slots: [Slot], offset: Int) -> [LocalDay] {
    var days: [LocalDay] = []
    for slot in slots {
      let time = LocalTime(slot.time, offset: offset)
      if days.last?.start.day != time.day { days.append(LocalDay(start: time, times: [], parts: [])) }
      days[days.count - 1].times.append(time)
      days[days.count - 1].parts.append(slot)
    }
    return days
  }

  /// The local times of day at which slots begin, in minutes: 00, 03, … where the offset allows, 02:30, 05:30, … elsewhere.
  package static func columns(of days: [LocalDay]) -> [Int] {
    Set(days.flatMap { $0.times.map(\.minuteOfDay) }).sorted()
  }
}

/// A moment on the wall clock of a place: by the place's own offset, never by this machine's zone.
package struct LocalTime: Hashable, Sendable {
  /// Days since 1970-01-01 of the place's calendar.
  package let day: Int
  package let calendarDate: CivilDate
  package let secondOfDay: Int

  package var hour: Int { secondOfDay / 3600 }
  package var minute: Int { secondOfDay / 60 % 60 }
  package var minuteOfDay: Int { secondOfDay / 60 }

  /// - Parameters:
  ///   - instant: seconds since 1970-01-01 UTC.
  ///   - offset: seconds to add to UTC, negative west of it.
  package init(_ instant: Int, offset: Int) {
    let local = CivilDate.split(seconds: Int64(instant + offset))
    calendarDate = local.date
    day = Int(local.date.daysSince1970)
    secondOfDay = Int(local.secondOfDay)
  }

  /// `2021-10-01`
  package var date: String { calendarDate.description }

  /// The day of the month as two digits.
  package var dayOfMonth: String { DecimalText.two(Int(calendarDate.day)) }

  /// `06:27`
  package var clock: String { DecimalText.two(hour) + ":" + DecimalText.two(minute) }

  /// `2021-10-01T06:27:12`
  package var description: String { date + "T" + clock + ":" + DecimalText.two(secondOfDay % 60) }

  /// `10/01(금)`, `10/01(Fri)`
  package func dayLabel(in language: MessageLanguage) -> String {
    "\(DecimalText.two(Int(calendarDate.month)))/\(dayOfMonth)(\(weekdayName[language].plain))"
  }

  /// `10/01(금) 12시` at a full hour, `10/01(금) 02:30` between hours; English has the clock always.
  package func label(in language: MessageLanguage) -> String {
    switch language {
    case .korean where minute == 0: dayLabel(in: language) + " " + DecimalText.two(hour) + "시"
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
