import Catalog
import TestSupport
import Testing

@testable import Commands

/// The span of a report at noon of Thursday, 2022-12-01, in the time zone of the machine, which is that of the tests.
@Suite struct ReportSpanTests {
  private static let noon: Int64 = 1_669_896_000

  @Test(
    arguments: [
      ("week", 7 * 86_400, nil), ("month", 30 * 86_400, nil), ("주", 7 * 86_400, nil), ("3d", 3 * 86_400, nil),
      ("2h", 7_200, nil),
    ] as [(String, Int64, Int64?)])
  func ageBeginsBeforeNow(_ text: String, _ age: Int64, _ end: Int64?) {
    let span = ReportSpan(text, at: Self.noon)
    #expect(span?.start == Self.noon - age && span?.end == end)
  }

  /// Days are whole, and one that has not ended lasts until now.
  @Test(arguments: [
    ("2022-11", 30), ("2022-11-01..2022-11-30", 30), ("2022-11-30..2022-11-30", 1), ("11-28..11-29", 2),
    ("last week", 7), ("last-week", 7), ("지난주", 7),
  ])
  func daysAreWhole(_ text: String, _ days: Int64) throws {
    let span = try #require(ReportSpan(text, at: Self.noon))
    #expect(try #require(span.end) - span.start == days * 86_400 - 1)
  }

  @Test(arguments: [
    "2022-12", "2022-11-01..2022-12-01", "2022-11-30..today", "monday", "yesterday", "2022-11-30", "this week",
  ])
  func currentDayLastsUntilNow(_ text: String) throws {
    let span = try #require(ReportSpan(text, at: Self.noon))
    #expect(span.start < Self.noon)
    #expect(text.contains("today") || span.end == nil)
  }

  @Test(arguments: [
    "", "soon", "2022-13", "0000-00", "2022-11-30..2022-11-01", "..", "2022-11-30..", "2023-01", "2023-01-01",
    "99999d..", "next week",
  ])
  func otherTextIsNoSpan(_ text: String) { #expect(ReportSpan(text, at: Self.noon) == nil) }
}
