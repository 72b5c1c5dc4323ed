import Foundation
import Networking
import Synchronization
import Testing
import Text

@testable import Presentation
@testable import WeatherAPI

/// Shared helpers of the tests: captures, golden files, cell widths, a service and places.
enum Support {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()

  static func capture(_ name: String) throws -> Data {
    try Data(contentsOf: folder.appending(path: "Captures/\(name).json"))
  }

  /// The units of a capture: the program asks for metric ones, the oldest captures have kelvins.
  enum Units { case metric, standard }

  static func read<Value>(_ endpoint: OpenWeatherEndpoint<Value>, _ name: String, _ units: Units) throws -> Value {
    let body = try units == .standard ? celsius(name) : capture(name)
    return try endpoint.decode(from: Response(status: 200, body: body), of: service())
  }

  /// A capture in kelvins with its temperatures in degrees Celsius.
  static func celsius(_ name: String) throws -> Data {
    let json = String(decoding: try capture(name), as: UTF8.self)
    let metric = json.replacing(#/("(?:temp|feels_like|temp_min|temp_max)"\s*:\s*)([0-9.]+)/#) { match in
      "\(match.1)\(Double(match.2).map { $0 - 273.15 } ?? 0)"
    }
    return Data(metric.utf8)
  }

  static let key = "0123456789abcdef0123456789abcdef"

  static func service(_ language: MessageLanguage = .korean) -> OpenWeather {
    OpenWeather(key: Secret(key), language: language)
  }

  static let seoul = Place(PlaceQuery.point(37.5798, 126.9771))

  static func cells(ambiguous: Int = 1) -> WidthMeasurer { WidthMeasurer(ambiguousWide: ambiguous == 2) }

  static func report(
    _ current: String, _ forecast: String, _ language: MessageLanguage, units: Units = .standard
  ) throws -> WeatherReport {
    let point = seoul.coordinate
    return WeatherReport(
      place: seoul, address: .fresh(try read(service().places(at: point), "geo-direct-seoul-1", units)),
      current: .fresh(try read(service().currentWeather(at: point), current, units)),
      forecast: .fresh(try read(service().forecast(at: point), forecast, units)), language: language)
  }

  static func text(
    _ report: WeatherReport, _ width: Int, ascii: Bool = false, ambiguous: Int = 1, isList: Bool = false,
    now: Double = 1_633_056_534
  ) -> String {
    let view = WeatherView(
      RenderOptions(
        language: report.language, width: width, usesASCII: ascii, treatsAmbiguousAsWide: ambiguous == 2))
    let lines = view.lines(report, isList: isList, now: Date(timeIntervalSince1970: now))
    return lines.map { $0.map(\.text).joined() + "\n" }.joined()
  }
}

extension PlaceQuery {
  /// Returns a point that is known to be valid.
  static func point(_ latitude: Double, _ longitude: Double) -> Coordinate {
    (try? Coordinate(latitude: latitude, longitude: longitude))!
  }
}
