import CommandLanguage
import Foundation
import MarketOperations
import Testing
import WriteJournal

/// The times at which recurring lines are due, in time zones with and without daylight saving time.
@Suite struct RecurrenceTests {
  /// A time in a zone and the occurrences around it.
  struct Case: CustomTestStringConvertible, Sendable {
    var zone: String
    var rule: String
    var now: String
    var last: String
    var lastName: String
    var next: String

    var testDescription: String { "\(rule) in \(zone) at \(now)" }
  }

  private static let cases = [
    Case(
      zone: "UTC", rule: "day 7:00", now: "2026-11-30T06:59:59Z", last: "2026-11-29T07:00:00Z",
      lastName: "2026-11-29T07:00", next: "2026-11-30T07:00:00Z"),
    Case(
      zone: "UTC", rule: "day 7:00", now: "2026-11-30T07:00:00Z", last: "2026-11-30T07:00:00Z",
      lastName: "2026-11-30T07:00", next: "2026-12-01T07:00:00Z"),
    // 30 November is a Monday. In Seoul, Monday 7:00 is Sunday 22:00 UTC.
    Case(
      zone: "Asia/Seoul", rule: "monday 07:00", now: "2026-11-29T22:00:00Z", last: "2026-11-29T22:00:00Z",
      lastName: "2026-11-30T07:00", next: "2026-12-06T22:00:00Z"),
    Case(
      zone: "Asia/Seoul", rule: "monday 07:00", now: "2026-11-29T21:59:59Z", last: "2026-11-22T22:00:00Z",
      lastName: "2026-11-23T07:00", next: "2026-11-29T22:00:00Z"),
    Case(
      zone: "Pacific/Kiritimati", rule: "monday 0:00", now: "2026-11-29T10:00:00Z", last: "2026-11-29T10:00:00Z",
      lastName: "2026-11-30T00:00", next: "2026-12-06T10:00:00Z"),
    Case(
      zone: "Pacific/Pago_Pago", rule: "sunday 23:59", now: "2026-11-30T11:00:00Z", last: "2026-11-30T10:59:00Z",
      lastName: "2026-11-29T23:59", next: "2026-12-07T10:59:00Z"),
    Case(
      zone: "UTC", rule: "monday,thursday 18:30", now: "2026-11-30T20:00:00Z", last: "2026-11-30T18:30:00Z",
      lastName: "2026-11-30T18:30", next: "2026-12-03T18:30:00Z"),
    // The hour from 2 to 3 is skipped on 29 March: 2:30 is 3:30 summer time.
    Case(
      zone: "Europe/Berlin", rule: "day 2:30", now: "2026-03-29T12:00:00Z", last: "2026-03-29T01:30:00Z",
      lastName: "2026-03-29T02:30", next: "2026-03-30T00:30:00Z"),
    // The hour from 2 to 3 is there twice on 25 October: the first one counts.
    Case(
      zone: "Europe/Berlin", rule: "day 2:30", now: "2026-10-25T01:45:00Z", last: "2026-10-25T00:30:00Z",
      lastName: "2026-10-25T02:30", next: "2026-10-26T01:30:00Z"),
    Case(
      zone: "America/New_York", rule: "sunday 1:30", now: "2026-11-01T07:00:00Z", last: "2026-11-01T05:30:00Z",
      lastName: "2026-11-01T01:30", next: "2026-11-08T06:30:00Z"),
    // 7:00 stays 7:00 over the change.
    Case(
      zone: "America/New_York", rule: "day 7:00", now: "2026-11-01T00:00:00Z", last: "2026-10-31T11:00:00Z",
      lastName: "2026-10-31T07:00", next: "2026-11-01T12:00:00Z"),
    // Lord Howe Island changes by half an hour.
    Case(
      zone: "Australia/Lord_Howe", rule: "sunday 2:15", now: "2026-10-04T00:00:00Z", last: "2026-10-03T15:45:00Z",
      lastName: "2026-10-04T02:15", next: "2026-10-10T15:15:00Z"),
  ]

  private static func offset(_ zone: String) throws -> (Int64) -> Int64 {
    let zone = try #require(TimeZone(identifier: zone))
    return { Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double($0)))) }
  }

  private static func seconds(_ text: String) throws -> Int64 {
    Int64(try Date(text, strategy: .iso8601).timeIntervalSince1970)
  }

  private static func recurrence(_ rule: String) throws -> Recurrence {
    let words = rule.split(separator: " ").map(String.init)
    return try Recurrence(days: words[0], time: words[1])
  }

  @Test(arguments: cases) func occurrencesAreThoseOfTheLocalClock(_ one: Case) throws {
    let rule = try Self.recurrence(one.rule)
    let offset = try Self.offset(one.zone)
    let now = try Self.seconds(one.now)
    let last = try #require(rule.last(until: now, offset: offset))
    #expect(last.seconds == (try Self.seconds(one.last)) && last.name == one.lastName, "\(last)")
    let next = try #require(rule.next(after: now, offset: offset))
    #expect(next.seconds == (try Self.seconds(one.next)), "\(next)")
  }

  /// Over two years, seen every five hours, each day has one occurrence with a name of its own, and times only increase.
  @Test(arguments: ["UTC", "Asia/Seoul", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Africa/Cairo"])
  func everyDayHasOneOccurrence(_ zone: String) throws {
    let offset = try Self.offset(zone)
    let start = try Self.seconds("2026-01-01T12:00:00Z")
    for time in ["0:00", "1:30", "2:00", "2:30", "3:00", "23:59"] {
      let rule = try Recurrence(days: "day", time: time)
      var names: [String] = []
      var last = start
      for hour in stride(from: 0, to: 730 * 24, by: 5) as StrideTo<Int64> {
        let found = try #require(rule.last(until: start + hour * 3_600, offset: offset))
        if names.last != found.name {
          #expect(names.isEmpty || found.seconds > last, "\(found)")
          names.append(found.name)
        } else {
          #expect(found.seconds == last, "\(found)")
        }
        last = found.seconds
      }
      #expect((730...731).contains(names.count) && Set(names).count == names.count, "\(zone) \(time): \(names.count)")
      #expect(rule.count(after: start, before: start + 730 * 86_400, offset: offset) == 730, "\(zone) \(time)")
    }
  }

  @Test(arguments: [
    ("someday", "7:00"), ("monday,", "7:00"), ("", "7:00"), ("day", "24:00"), ("day", "7"), ("day", "7:60"),
    ("day", "-1:00"), ("day", "07:00:30"), ("day", "monday 7:00"), ("monday 7:00", "7:00"), ("monday-friday", "7:00"),
  ])
  func otherWordsAreRefused(_ days: String, _ time: String) {
    #expect(throws: ParseError.self) { try Recurrence(days: days, time: time) }
  }

  @Test func wordsInKoreanMeanTheSame() throws {
    #expect(try Recurrence(days: "매일", time: "7:05") == Recurrence(days: "Day", time: "07:05"))
    // macOS decomposes what is typed or stored in a file name.
    let decomposed = "월요일".decomposedStringWithCanonicalMapping
    #expect(try Recurrence(days: decomposed, time: "7:05").days == "monday")
    #expect(try Recurrence(days: "목요일,월요일", time: "7:05") == Recurrence(days: "monday,thursday", time: "7:05"))
    #expect(try Recurrence(days: "sunday,monday", time: "7:05").days == "monday,sunday")
  }

  // MARK: What is due

  private static let since = 1_764_000_000 as Int64

  private static func line(_ rule: String) throws -> RecurringLine {
    RecurringLine(
      number: 1, recurrence: try recurrence(rule), text: "ls", profile: "demo", folder: "", since: since, maker: .person
    )
  }

  /// The last occurrence that was begun, seen from that of today: its number of days ago, and whether it is over.
  @Test(
    arguments: [
      // Nothing begun: the missed days since the line was added.
      (nil, false, 0, true, 5, false), (1, true, 0, true, 0, false), (4, true, 0, true, 3, false),
      (1, false, 0, true, 0, true), (0, true, 0, false, 0, false), (0, false, 0, true, 0, false),
      // It waits until its next attempt, but not for a time of another clock.
      (0, false, 600, false, 0, false), (0, false, 900_000, true, 0, false),
      // The clock was set back by a day, and by a year.
      (-1, true, 0, false, 0, false), (-365, true, 0, true, 5, false),
    ] as [(Int64?, Bool, Int64, Bool, Int, Bool)])
  func onlyTheLastOccurrenceIsDue(
    _ daysAgo: Int64?, _ isOver: Bool, _ pause: Int64, _ isDue: Bool, _ missed: Int, _ isUnfinished: Bool
  ) throws {
    let line = try Self.line("day 0:00")
    let utc: (Int64) -> Int64 = { _ in 0 }
    let today = (Self.since / 86_400 + 6) * 86_400
    let now = today + 3_600
    let begun = daysAgo.map {
      BegunOccurrence(
        Recurrence.Occurrence(seconds: today - $0 * 86_400, name: "x"), isOver: isOver,
        notBefore: pause == 0 ? 0 : now + pause)
    }
    let due = DueOccurrence(of: line, after: begun, at: now, offset: utc)
    #expect((due != nil) == isDue)
    guard let due else { return }
    #expect(due.occurrence.seconds == today && due.missed == missed && (due.unfinished != nil) == isUnfinished)
    #expect((due.earlier != nil) == (daysAgo == 0))
  }

  @Test func nothingIsDueBeforeTheFirstOccurrence() throws {
    let line = try Self.line("day 0:00")
    let utc: (Int64) -> Int64 = { _ in 0 }
    let first = (Self.since / 86_400 + 1) * 86_400
    #expect(DueOccurrence(of: line, after: nil, at: first - 1, offset: utc) == nil)
    #expect(DueOccurrence(of: line, after: nil, at: first, offset: utc)?.missed == 0)
  }

  @Test func attemptsAreRepeatedLessOften() {
    let times = (1...8).map { attempt -> Int64 in
      BegunOccurrence(Recurrence.Occurrence(seconds: 0, name: "x"), attempts: attempt).nextAttempt(after: 0)
    }
    #expect(times == [5, 10, 20, 40, 60, 60, 60, 60].map { $0 * 60 - 30 })
  }
}
