import Foundation
import NIOCore

/// The paths of OpenWeatherMap next to those of the market, with generated weather for the server's clock.
struct WeatherRoutes {
  let clock: @Sendable () -> Date

  func declare(on routes: inout Router) {
    for path in ["/data/2.5/weather", "/data/2.5/forecast", "/geo/1.0/direct", "/geo/1.0/reverse"] {
      routes.get(path) { [clock] call in
        guard let response = SampleWeather.response(path: path, query: call.query.all, now: clock()) else {
          throw MarketHTTPError(404, "Not Found")
        }
        let body = ByteBuffer(string: response.json)
        return MarketResponse(status: response.status, type: "application/json; charset=utf-8", body: body)
      }
    }
  }
}

/// Generated weather in the format of OpenWeatherMap, for any point and time.
///
/// Responses are deterministic: equal queries have equal responses.
package enum SampleWeather {
  /// Returns a status and a JSON body, or `nil` for a path other than the four supported ones.
  package static func response(path: String, query: [String: String], now: Date) -> (status: Int, json: String)? {
    let instant = Int(exactly: now.timeIntervalSince1970.rounded(.down)) ?? 0
    switch path {
    case "/data/2.5/weather":
      return withCoordinates(query) { SampleCurrent(sky: $0, question: WeatherQuery(query), now: instant).json }
    case "/data/2.5/forecast":
      return withCoordinates(query) { SampleForecast(sky: $0, question: WeatherQuery(query), now: instant).json }
    case "/geo/1.0/direct": return direct(query)
    case "/geo/1.0/reverse":
      return withCoordinates(query) { sky in
        let near = SampleGeography.near(latitude: sky.latitude, longitude: sky.longitude)
        return "[" + near.prefix(limit(query)).map(\.json).joined(separator: ",") + "]"
      }
    default: return nil
    }
  }

  private static func direct(_ query: [String: String]) -> (status: Int, json: String) {
    guard let name = query["q"], !name.allSatisfy(\.isWhitespace) else { return refusal("Nothing to geocode") }
    return (200, "[" + SampleGeography.named(name).prefix(limit(query)).map(\.json).joined(separator: ",") + "]")
  }

  private static func limit(_ query: [String: String]) -> Int {
    min(5, max(1, query["limit"].flatMap { Int($0) } ?? 5))
  }

  /// Calls `response` with the point of `lat` and `lon`, or returns the error of the service.
  private static func withCoordinates(
    _ query: [String: String], _ response: (SyntheticWeather) -> String
  ) -> (status: Int, json: String) {
    guard let latitude = query["lat"], let longitude = query["lon"] else { return refusal("Nothing to geocode") }
    guard let north = degrees(latitude), abs(north) <= 90 else { return refusal("wrong latitude") }
    guard let east = degrees(longitude), abs(east) <= 180 else { return refusal("wrong longitude") }
    return (200, response(SyntheticWeather(latitude: north, longitude: east)))
  }

  private static func degrees(_ text: String) -> Double? {
    let digits = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : Substring(text)
    guard let first = digits.first, first.isASCII, first.isNumber, digits.utf8.count <= 24,
      digits.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E })
    else { return nil }
    return Double(text)
  }

  private static func refusal(_ message: String) -> (status: Int, json: String) {
    (400, "{\"cod\":\"400\",\"message\":\"\(message)\"}")
  }
}

/// The options of a query: units, language, number of slots.
private struct WeatherQuery {
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

  func wind(_ state: SyntheticWeather.State) -> String {
    "\"wind\":{\"speed\":\(speed(state.windSpeed)),\"deg\":\(state.windDegrees),"
      + "\"gust\":\(speed(state.windSpeed * 1.6))}"
  }

  private func speed(_ metres: Double) -> String { SampleNumber.text(isImperial ? metres * 2.236_936 : metres) }
}

/// The members that a response and a slot of the forecast have in common.
extension SyntheticWeather.State {
  fileprivate var levels: String { "\"sea_level\":\(pressure),\"grnd_level\":\(pressure - 6)" }
  fileprivate var visibility: String { "\"visibility\":\(precipitationRate > 2 ? 6000 : 10_000)" }
  fileprivate var cover: String { "\"clouds\":{\"all\":\(SampleNumber.rounded(clouds * 100))}" }
}

/// The body of `/data/2.5/weather`, with keys in the order of the service.
private struct SampleCurrent {
  let sky: SyntheticWeather
  let question: WeatherQuery
  let now: Int

  var json: String {
    let state = sky.state(at: now)
    let condition = SampleCondition(state)
    let geography = SampleGeography.near(latitude: sky.latitude, longitude: sky.longitude).first
    let sun = sky.sun(around: now)
    let fall =
      state.precipitationRate > 0
      ? ",\"\(condition.isSnow ? "snow" : "rain")\":{\"1h\":\(SampleNumber.text(state.precipitationRate))}" : ""
    let country = geography.map { "\"country\":\"\($0.country)\"," } ?? ""
    return "{\"coord\":{\"lon\":\(SampleNumber.text(sky.longitude, decimals: 4)),"
      + "\"lat\":\(SampleNumber.text(sky.latitude, decimals: 4))},"
      + "\"weather\":[\(condition.json(isKorean: question.isKorean))],\"base\":\"stations\","
      + "\"main\":{\(temperatures(state)),\"pressure\":\(state.pressure),\"humidity\":\(state.humidity),"
      + "\(state.levels)},\(state.visibility),\(question.wind(state))\(fall),\(state.cover),\"dt\":\(now),"
      + "\"sys\":{\(country)\"sunrise\":\(sun?.rise ?? 0),\"sunset\":\(sun?.set ?? 0)},"
      + "\"timezone\":\(sky.offset),\"id\":\(geography?.id ?? 0),\"name\":\"\(geography?.name ?? "")\",\"cod\":200}"
  }

  private func temperatures(_ state: SyntheticWeather.State) -> String {
    let feels =
      state.celsius - (state.celsius < 10 ? state.windSpeed * 0.5 : 0)
      + (state.celsius > 26 ? Double(state.humidity - 40) * 0.05 : 0)
    return "\"temp\":\(question.temperature(state.celsius)),\"feels_like\":\(question.temperature(feels)),"
      + "\"temp_min\":\(question.temperature(state.celsius - 1.3)),"
      + "\"temp_max\":\(question.temperature(state.celsius + 1.1))"
  }
}

/// The body of `/data/2.5/forecast`: slots at multiples of three hours UTC after now.
private struct SampleForecast {
  let sky: SyntheticWeather
  let question: WeatherQuery
  let now: Int

  var json: String {
    let first = (now / 10_800 + 1) * 10_800
    let slots = (0..<question.count).map { slot(at: first + $0 * 10_800) }
    let geography = SampleGeography.near(latitude: sky.latitude, longitude: sky.longitude).first
    let sun = sky.sun(around: now)
    return "{\"cod\":\"200\",\"message\":0,\"cnt\":\(slots.count),\"list\":[\(slots.joined(separator: ","))],"
      + "\"city\":{\"id\":\(geography?.id ?? 0),\"name\":\"\(geography?.name ?? "")\","
      + "\"coord\":{\"lat\":\(SampleNumber.text(sky.latitude, decimals: 4)),"
      + "\"lon\":\(SampleNumber.text(sky.longitude, decimals: 4))},\"country\":\"\(geography?.country ?? "")\","
      + "\"population\":0,\"timezone\":\(sky.offset),\"sunrise\":\(sun?.rise ?? 0),\"sunset\":\(sun?.set ?? 0)}}"
  }

  private func slot(at instant: Int) -> String {
    let state = sky.state(at: instant)
    let condition = SampleCondition(state)
    let temperature = question.temperature(state.celsius)
    let chance =
      state.precipitationRate > 0 ? min(1, 0.4 + state.precipitationRate / 5) : max(0, (state.clouds - 0.5) * 0.6)
    let fall =
      state.precipitationRate > 0
      ? "\"\(condition.isSnow ? "snow" : "rain")\":{\"3h\":\(SampleNumber.text(state.precipitationRate * 3))}," : ""
    return "{\"dt\":\(instant),\"main\":{\"temp\":\(temperature),\"feels_like\":\(temperature),"
      + "\"temp_min\":\(temperature),\"temp_max\":\(temperature),\"pressure\":\(state.pressure),"
      + "\(state.levels),\"humidity\":\(state.humidity),\"temp_kf\":0},"
      + "\"weather\":[\(condition.json(isKorean: question.isKorean))],\(state.cover),\(question.wind(state)),"
      + "\(state.visibility),\"pop\":\(SampleNumber.text(chance)),\(fall)\"sys\":{\"pod\":\"\(state.isDay ? "d" : "n")\"},"
      + "\"dt_txt\":\"\(utc(instant))\"}"
  }

  private func utc(_ instant: Int) -> String {
    let date = Date(timeIntervalSince1970: Double(instant))
    return date.formatted(.iso8601.year().month().day().dateSeparator(.dash)) + " "
      + date.formatted(.iso8601.time(includingFractionalSeconds: false).timeSeparator(.colon))
  }
}

/// The weather condition of the service for a state of the sky.
private struct SampleCondition {
  var id: Int
  var main: String
  var english: String
  var korean: String
  var icon: String

  init(_ state: SyntheticWeather.State) {
    let half = state.isDay ? "d" : "n"
    (id, main, english, korean, icon) =
      switch (state.precipitationRate, state.celsius, state.clouds) {
      case (3..., 1..., _): (502, "Rain", "heavy intensity rain", "강한 비", "10" + half)
      case (1..., 1..., _): (501, "Rain", "moderate rain", "보통 비", "10" + half)
      case (0.01..., 1..., _): (500, "Rain", "light rain", "실 비", "10" + half)
      case (1.5..., _, _): (601, "Snow", "snow", "눈", "13" + half)
      case (0.01..., _, _): (600, "Snow", "light snow", "가벼운 눈", "13" + half)
      case (_, _, 0.85...): (804, "Clouds", "overcast clouds", "온흐림", "04" + half)
      case (_, _, 0.5...): (803, "Clouds", "broken clouds", "튼구름", "04" + half)
      case (_, _, 0.25...): (802, "Clouds", "scattered clouds", "구름조금", "03" + half)
      case (_, _, 0.11...): (801, "Clouds", "few clouds", "약간의 구름이 낀 하늘", "02" + half)
      default: (800, "Clear", "clear sky", "맑음", "01" + half)
      }
  }

  func json(isKorean: Bool) -> String {
    "{\"id\":\(id),\"main\":\"\(main)\",\"description\":\"\(isKorean ? korean : english)\",\"icon\":\"\(icon)\"}"
  }

  var isSnow: Bool { main == "Snow" }
}

/// Numbers in the format of the service: at most two decimals, integers without any.
enum SampleNumber {
  static func text(_ number: Double, decimals: Int = 2) -> String {
    var text = String(format: "%.\(decimals)f", number)
    while text.contains("."), text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return text == "-0" ? "0" : text
  }

  static func rounded(_ number: Double) -> Int { Int(exactly: number.rounded()) ?? 0 }
}
