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
