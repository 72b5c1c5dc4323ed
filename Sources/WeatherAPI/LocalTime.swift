import Text

/// The local time of a place, by the place's own offset and never by this machine's time zone.
package struct LocalTime: Hashable, Sendable {
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
