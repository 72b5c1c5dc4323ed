/// A moment on the wall clock of a place: by the place's own offset, never by this machine's zone.
package struct LocalTime: Hashable, Sendable {
  /// Days since 1970-01-01 of the place's calendar.
  package let day: Int
  package let year: Int
  package let month: Int
  package let dayOfMonth: Int
  /// Sunday is 0.
  package let weekday: Int
  package let secondOfDay: Int

  package var hour: Int { secondOfDay / 3600 }
  package var minute: Int { secondOfDay / 60 % 60 }
  package var minuteOfDay: Int { secondOfDay / 60 }

  /// - Parameters:
  ///   - instant: seconds since 1970-01-01 UTC.
  ///   - offset: seconds to add to UTC, negative west of it.
  package init(_ instant: Int, offset: Int) {
    let local = instant + offset
    day = LocalTime.floor(local, 86_400)
    secondOfDay = local - day * 86_400
    weekday = ((day + 4) % 7 + 7) % 7
    (year, month, dayOfMonth) = LocalTime.civil(day)
  }

  /// `2021-10-01`
  package var date: String {
    String(repeating: "0", count: max(0, 4 - String(year).count))
      + "\(year)-\(Figures.two(month))-\(Figures.two(dayOfMonth))"
  }

  /// `06:27`
  package var clock: String { Figures.two(hour) + ":" + Figures.two(minute) }

  /// `2021-10-01T06:27:12`
  package var description: String { date + "T" + clock + ":" + Figures.two(secondOfDay % 60) }

  /// `10/01(금)`, `10/01(Fri)`
  package func dayLabel(in language: WeatherLanguage) -> String {
    "\(Figures.two(month))/\(Figures.two(dayOfMonth))(\(weekdayName[language]))"
  }

  /// `10/01(금) 12시` at a full hour, `10/01(금) 02:30` between hours; English has the clock always.
  package func label(in language: WeatherLanguage) -> String {
    switch language {
    case .korean where minute == 0: dayLabel(in: language) + " " + Figures.two(hour) + "시"
    case .korean, .english: dayLabel(in: language) + " " + clock
    }
  }

  package var weekdayName: Phrase {
    let names = [
      Phrase("Sun", ko: "일"), Phrase("Mon", ko: "월"), Phrase("Tue", ko: "화"), Phrase("Wed", ko: "수"),
      Phrase("Thu", ko: "목"), Phrase("Fri", ko: "금"), Phrase("Sat", ko: "토"),
    ]
    return names[weekday]
  }

  private static func floor(_ number: Int, _ step: Int) -> Int {
    number >= 0 ? number / step : (number - step + 1) / step
  }

  /// Proleptic Gregorian calendar (Hinnant, "chrono-Compatible Low-Level Date Algorithms").
  private static func civil(_ days: Int) -> (Int, Int, Int) {
    let shifted = days + 719_468
    let era = floor(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }
}
