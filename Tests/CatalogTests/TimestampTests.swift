import Catalog
import Testing

/// The times that servers write, and their order.
struct TimestampTests {
  @Test(arguments: [
    ("2022-10-18", "2022-10-18T00:00:00"), ("2022-10-18T00:00:00", "2022-10-18T00:00:00"),
    ("2022-10-18 09:05:07", "2022-10-18T09:05:07"), ("2022-10-18T09:05:07.123456", "2022-10-18T09:05:07"),
    ("2022-10-18T09:05:07Z", "2022-10-18T09:05:07Z"), ("2024-02-29", "2024-02-29T00:00:00"),
    ("2000-02-29", "2000-02-29T00:00:00"), ("1969-12-31T23:59:59", "1969-12-31T23:59:59"),
    ("0001-01-01", "0001-01-01T00:00:00"), ("9999-12-31T23:59:59", "9999-12-31T23:59:59"),
    ("2022-10-18T00:00:00+09:00", "2022-10-17T15:00:00Z"), ("2022-10-18T00:00:00.000+0000", "2022-10-18T00:00:00Z"),
    ("2022-10-18 00:00:00-05:30", "2022-10-18T05:30:00Z"), ("2022-03-01T08:59:59.5+09:00", "2022-02-28T23:59:59Z"),
  ])
  func timestampIsRead(text: String, shown: String) {
    #expect(Timestamp(text)?.description == shown)
  }

  @Test(arguments: [
    "", "Z", "T", "2022", "2022-10", "2022-13-01", "2022-00-01", "2022-02-30", "2023-02-29", "1900-02-29", "2022-1-01",
    "22-01-01", "2022-10-18T", "2022-10-18T24:00:00", "2022-10-18T00:60:00", "2022-10-18T00:00", "2022-10-18T00:00:00.",
    "2022-10-18T00:00:00+9:00", "2022-10-18T00:00:00+09", "2022-10-18T00:00:00+09:0:0", "2022-10-18T00:00:00+24:00",
    "2022-10-18T00:00:00+09:60",
    "2022-10-18T00:00:00+", "2022-10-18T00:00:00Z+09:00", "2022-10-18+09:00", "2022/10/18", " 2022-10-18", "２０２２-10-18",
    "-022-10-18",
  ])
  func malformedTimestampIsRefused(text: String) {
    #expect(Timestamp(text) == nil)
  }

  @Test(arguments: [(0, "1970-01-01T00:00:00Z"), (1_643_673_600, "2022-02-01T00:00:00Z"), (-1, "1969-12-31T23:59:59Z")])
  func secondsSince1970AreCounted(seconds: Int64, shown: String) {
    #expect(Timestamp(seconds: seconds, isUTC: true).description == shown)
  }

  @Test(
    arguments: [
      (.min, "-292277022657-01-27T08:29:52Z"), (.max, "292277026596-12-04T15:30:07Z"),
      (253_402_300_799, "9999-12-31T23:59:59Z"), (-86_400, "1969-12-31T00:00:00Z"),
    ] as [(Int64, String)])
  func extremeSecondsAreReadBack(seconds: Int64, shown: String) {
    #expect(Timestamp(seconds: seconds, isUTC: true).description == shown)
  }

  @Test func everyDayOfFourCenturiesIsReadBack() {
    for day in stride(from: Int64(-73_049), to: 73_049, by: 1) {
      let moment = Timestamp(seconds: day * 86_400 + (day & 0xFFFF), isUTC: false)
      if Timestamp(moment.description) != moment { Issue.record("\(moment)") }
    }
  }

  @Test func orderIsThatOfTime() throws {
    let texts = ["2022-10-18T10:00:00", "2022-01-18", "2021-12-31T23:59:59Z"]
    #expect(
      texts.compactMap(Timestamp.init).sorted().map(\.description)
        == ["2021-12-31T23:59:59Z", "2022-01-18T00:00:00", "2022-10-18T10:00:00"])
  }
}
