import Text

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
  package func dayLabel(in language: Tongue) -> String {
    "\(DecimalText.two(Int(calendarDate.month)))/\(dayOfMonth)(\(weekdayName[language].plain))"
  }

  /// `10/01(금) 12시` at a full hour, `10/01(금) 02:30` between hours; English has the clock always.
  package func label(in language: Tongue) -> String {
    switch language {
    case .korean where minute == 0: dayLabel(in: language) + " " + DecimalText.two(hour) + "시"
    case .korean, .english: dayLabel(in: language) + " " + clock
    }
  }

  package var weekdayName: Wording {
    let names = [
      Wording("Sun", ko: "일"), Wording("Mon", ko: "월"), Wording("Tue", ko: "화"), Wording("Wed", ko: "수"),
      Wording("Thu", ko: "목"), Wording("Fri", ko: "금"), Wording("Sat", ko: "토"),
    ]
    return names[Int(calendarDate.weekday)]
  }
}
