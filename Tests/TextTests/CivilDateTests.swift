import Testing
import Text

/// The conversion between dates and day numbers.
struct CivilDateTests {
  @Test(arguments: [
    (0, 1970, 1, 1, 4), (-1, 1969, 12, 31, 3), (11_016, 2000, 2, 29, 2), (19_283, 2022, 10, 18, 2),
    (-25_509, 1900, 2, 28, 3), (-25_508, 1900, 3, 1, 4),
  ])
  func dayNumberOfADate(days: Int64, year: Int64, month: Int64, day: Int64, weekday: Int64) throws {
    let date = try #require(CivilDate(year: year, month: month, day: day))
    #expect(date.daysSince1970 == days)
    #expect(CivilDate(daysSince1970: days) == date)
    #expect(date.weekday == weekday)
  }

  @Test(arguments: [(2023, 2, 29), (1900, 2, 29), (2022, 4, 31), (2022, 0, 1), (2022, 13, 1), (2022, 1, 0)])
  func nonexistentDayIsRefused(year: Int64, month: Int64, day: Int64) {
    #expect(CivilDate(year: year, month: month, day: day) == nil)
  }

  @Test func secondsBefore1970AreSplit() {
    #expect(CivilDate.split(seconds: -1).secondOfDay == 86_399)
    #expect(CivilDate.split(seconds: -1).date == CivilDate(year: 1969, month: 12, day: 31))
    #expect(CivilDate.split(seconds: 86_400).secondOfDay == 0)
  }
}
