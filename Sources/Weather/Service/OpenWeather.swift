import Foundation
import Networking

/// OpenWeatherMap, or a server that speaks like it, at an address.
package struct OpenWeather: Service {
  /// By what right it is asked.
  package enum Access: Sendable {
    case key(WeatherKey)
    /// The embedded service: needs no key, and its answers are made up; every report says so.
    case sample
  }

  package var baseURL: URL
  package var access: Access
  package var units: WeatherUnits
  package var language: WeatherLanguage

  package init(
    baseURL: URL = OpenWeather.address, access: Access, units: WeatherUnits = .metric,
    language: WeatherLanguage = .english
  ) {
    self.baseURL = baseURL
    self.access = access
    self.units = units
    self.language = language
  }

  package static let address = URL(string: "https://api.openweathermap.org")!
  /// The variable a printed curl line reads the key from.
  package static let keyVariable = "OPENWEATHER_API_KEY"

  package var isSample: Bool {
    switch access {
    case .key: false
    case .sample: true
    }
  }

  /// Throws `WeatherError.keyMissing` before anything is sent.
  package func requireKey() throws(WeatherError) {
    switch access {
    case .key(let key): _ = try key.secret()
    case .sample: break
    }
  }

  /// A GET with the key last; the key is named a secret, so that it is masked wherever the request is printed.
  func get(_ path: [String], _ query: [QueryItem]) throws(WeatherError) -> Request {
    switch access {
    case .sample: return Request(.get, path, query: query)
    case .key(let key):
      let secret = try key.secret()
      return Request(
        .get, path, query: query + [QueryItem("appid", secret.reveal())],
        secrets: [NamedSecret(OpenWeather.keyVariable, secret)])
    }
  }

  /// The body of an answer, our key hidden where the server repeats it.
  func withoutKey(_ body: Data) -> Data {
    guard case .key(let key) = access, let secret = try? key.secret(),
      body.range(of: Data(secret.reveal().utf8)) != nil
    else { return body }
    let masker = Masker([NamedSecret(OpenWeather.keyVariable, secret)])
    return Data(masker.mask(String(decoding: body, as: UTF8.self)).utf8)
  }

  /// What the weather endpoints ask in common; the geocoder knows neither units nor language.
  func question(at coordinate: Coordinate) -> [QueryItem] {
    [
      QueryItem("lat", coordinate.latitudeText), QueryItem("lon", coordinate.longitudeText),
      QueryItem("units", units.rawValue), QueryItem("lang", language.asked),
    ]
  }
}
