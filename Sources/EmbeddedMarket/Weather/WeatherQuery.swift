/// The options of a query: units, language, number of slots.
struct WeatherQuery {
  var isMetric: Bool
  var isImperial: Bool
  var isKorean: Bool
  var count: Int

  init(_ query: [String: String]) {
    isMetric = query["units"] == "metric"
    isImperial = query["units"] == "imperial"
    isKorean = query["lang"] == "kr" || query["lang"] == "ko"
    count = min(40, max(1, query["cnt"].flatMap { Int($0) } ?? 40))
  }

  func temperature(_ celsius: Double) -> String {
    SampleNumber.text(isMetric ? celsius : isImperial ? celsius * 1.8 + 32 : celsius + 273.15)
  }

  func speed(_ metres: Double) -> String { SampleNumber.text(isImperial ? metres * 2.236_936 : metres) }
}
