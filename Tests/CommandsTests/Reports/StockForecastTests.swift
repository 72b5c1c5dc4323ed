import TestSupport
import Testing

@testable import Commands

/// What was sold, and when the rest will be gone, by readings of a stock.
@Suite struct StockForecastTests {
  private static let day = 86_400

  /// Readings as day and stock, with `!` for one that this home wrote; then the number of readings, what was sold, and the day
  /// on which the rest is gone.
  @Test(
    arguments: [
      ("0:10", nil, 0, nil),
      ("0:10 !1:5", nil, 0, nil),
      ("0:10 1:10", 2, 0, nil),
      ("0:10 1:5", 2, 5, 2),
      ("0:10 10:5", 2, 5, 20),
      ("0:10 4:6 8:2", 3, 8, 10),
      // A delivery of others is an increase.
      ("0:10 2:4 4:20 6:14", 4, 12, 13),
      // What this home set isn't sold; what was missing when it was set is.
      ("0:10 !2:2 4:2", 2, 0, nil),
      ("0:10 2:6 !2:50 4:46", 3, 8, 27),
      ("0:10 2:0", 2, 10, nil),
      ("0:9223372036854775807 400:9223372036854775806", 2, 1, nil),
      ("0:-9223372036854775808 1:9223372036854775807", 2, 0, nil),
      ("0:9223372036854775807 1:-9223372036854775808", 2, 0, nil),
    ] as [(String, Int?, Int, Int?)])
  func forecast(_ text: String, _ readings: Int?, _ sold: Int, _ gone: Int?) throws {
    let parsed = try text.split(separator: " ").map { word in
      let isOwn = word.first == "!"
      let parts = word.drop { $0 == "!" }.split(separator: ":")
      let day = try #require(Int(parts[0]))
      return StockForecast.Reading(
        time: Int64(day * Self.day), stock: try #require(Int(parts[1])), isOwn: isOwn)
    }
    let forecast = StockForecast(parsed)
    #expect(forecast?.readings == readings)
    #expect(forecast?.sold ?? 0 == sold)
    #expect(forecast?.gone == gone.map { Int64($0 * Self.day) })
  }

  /// Nothing is computed from readings of less than a day.
  @Test func shortTimeHasNoDate() {
    let hour: Int64 = 3_600
    #expect(StockForecast([.init(time: 0, stock: 9), .init(time: 23 * hour, stock: 3)])?.gone == nil)
    #expect(StockForecast([.init(time: 0, stock: 9), .init(time: 24 * hour, stock: 3)])?.gone == 36 * hour)
  }
}
