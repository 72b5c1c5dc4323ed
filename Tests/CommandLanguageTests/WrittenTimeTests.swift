import Catalog
import CommandLanguage
import Foundation
import Testing
import Text

/// Days and times as users write them.
@Suite struct WrittenTimeTests {
  @Test(
    arguments: [
      ("today", WrittenTime.Day.offset(0), nil), ("Yesterday", .offset(-1), nil), ("tomorrow", .offset(1), nil),
      ("그저께", .offset(-2), nil), ("모레", .offset(2), nil), ("monday", .weekday(1), nil), ("일요일", .weekday(0), nil),
      ("next week", .week(1), nil), ("next-week", .week(1), nil), ("지난주", .week(-1), nil), ("이번 주", .week(0), nil),
      ("10:00", .unnamed, 36_000), ("9:30", .unnamed, 34_200), ("monday 10:00", .weekday(1), 36_000),
      ("어제 23:59:59", .offset(-1), 86_399), ("tomorrowT00:00", .offset(1), 0),
    ] as [(String, WrittenTime.Day, Int64?)])
  func wordIsRead(_ text: String, _ day: WrittenTime.Day, _ second: Int64?) throws {
    let written = try #require(WrittenTime(text))
    #expect(written.day == day && written.second == second && written.isRelative)
  }

  @Test(
    arguments: [
      ("11-20", "2022-11-20", nil), ("2-29", "2020-02-29", nil), ("12-02", "2021-12-02", nil),
      ("2022-11-20", "2022-11-20", nil), ("2022-1-2", "2022-01-02", nil), ("2022-11-20T09:30", "2022-11-20", 34_200),
      ("2022-11-20 09:30:15", "2022-11-20", 34_215), ("11-20 9:30", "2022-11-20", 34_200),
    ] as [(String, String, Int64?)])
  func dateIsTheLastOne(_ text: String, _ date: String, _ second: Int64?) throws {
    let written = try #require(WrittenTime(text))
    // Noon of Thursday, 2022-12-01.
    #expect(CivilDate(daysSince1970: written.lastDays(at: 1_669_896_000).lowerBound).description == date)
    #expect(written.second == second)
  }

  @Test(arguments: [
    "", "now", "soon", "2d", "-7d", "today-7d", "2022-13-01", "2022-02-29", "13-01", "2-30", "24:00", "10:60", "10",
    "next week 10:00", "next", "week", "2022-11", "2022", "10:00Z", "2022-11-20T10:00:00Z", "mondayish", "99999-01-01",
    "20:00 monday", "٣-1", "1:2:3:4",
  ])
  func otherTextIsNone(_ text: String) { #expect(WrittenTime(text) == nil) }

  /// At noon of Thursday, 2022-12-01.
  @Test(arguments: [
    ("last week", "2022-11-21", 7), ("this week", "2022-11-28", 7), ("next week", "2022-12-05", 7),
    ("thursday", "2022-11-24", 1), ("today", "2022-12-01", 1), ("tomorrow", "2022-12-02", 1),
    ("12-01", "2022-12-01", 1),
    ("11:00", "2022-12-01", 1), ("13:00", "2022-11-30", 1),
  ])
  func daysAreTheLastOnes(_ text: String, _ first: String, _ count: Int) throws {
    let days = try #require(WrittenTime(text)).lastDays(at: 1_669_896_000)
    #expect(CivilDate(daysSince1970: days.lowerBound).description == first && days.count == count)
  }

  /// What this machine recorded is compared with days of its clock: in Seoul, a day begins at 15:00 of the day before in UTC.
  @Test func daysOfTheLogAreThoseOfTheLocalClock() async {
    await #expect(processExitsWith: .success) {
      setenv("TZ", "Asia/Seoul", 1)
      tzset()
      // 03:00 in Seoul of 2022-12-01, which is still the day before in UTC.
      let now: Int64 = 1_669_831_200
      let columns = FieldNameTable(columns: ["time": .time])
      for (text, expected) in [
        ("today", "2022-11-30T15:00:00Z"), ("yesterday", "2022-11-29T15:00:00Z"), ("11-30", "2022-11-29T15:00:00Z"),
        ("2022-11-30", "2022-11-29T15:00:00Z"), ("2022-11-30T09:00", "2022-11-30T00:00:00Z"),
        ("2022-11-30T00:00:00Z", "2022-11-30T00:00:00Z"), ("monday", "2022-11-27T15:00:00Z"),
        ("now-2h", "2022-11-30T16:00:00Z"), ("02:00", "2022-11-30T17:00:00Z"),
      ] {
        let start = try #require(Timestamp(expected))
        // `undo since` and `log since` mean the same.
        #expect(PastDate(text, at: now)?.beginning == start.seconds, "\(text)")
        let condition = try Condition.read("time>='\(text)'", names: columns).resolvedOnLocalClock(at: now)
        for (seconds, isSince) in [(start.seconds, true), (start.seconds - 1, false)] {
          var error: ParseError?
          let value = Timestamp(seconds: seconds, isUTC: true).local.description
          let holds = condition.holds(keeping: &error) { _ in value }
          #expect(holds == isSince && error == nil, "\(text) \(value)")
        }
      }
    }
  }
}
