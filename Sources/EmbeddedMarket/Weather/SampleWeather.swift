import Foundation
import NIOCore

/// Generated weather in the format of OpenWeatherMap, for any point and time.
///
/// Responses are deterministic: equal queries have equal responses.
package enum SampleWeather {
  /// Returns a status and a JSON body, or `nil` for a path other than the four supported ones.
  package static func answer(path: String, query: [String: String], now: Date) -> (status: Int, json: String)? {
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

  /// Calls `answer` with the point of `lat` and `lon`, or returns the error of the service.
  private static func withCoordinates(
    _ query: [String: String], _ answer: (SyntheticWeather) -> String
  ) -> (status: Int, json: String) {
    guard let latitude = query["lat"], let longitude = query["lon"] else { return refusal("Nothing to geocode") }
    guard let north = degrees(latitude), abs(north) <= 90 else { return refusal("wrong latitude") }
    guard let east = degrees(longitude), abs(east) <= 180 else { return refusal("wrong longitude") }
    return (200, answer(SyntheticWeather(latitude: north, longitude: east)))
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
