import Foundation
import Networking
import Synchronization
import Text

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
  package var language: MessageLanguage

  package init(
    baseURL: URL = OpenWeather.address, access: Access, units: WeatherUnits = .metric,
    language: MessageLanguage = .english
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

  /// - Throws: `WeatherError.keyMissing` or `.keyUnusable`, before anything is sent.
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
      QueryItem("units", units.rawValue), QueryItem("lang", language.weatherCode),
    ]
  }
}

/// The API key, read on first use and then never again, however many ask at once.
///
/// A missing key is not remembered: somebody may set it and try again in the same session.
package final class WeatherKey: Sendable {
  private let read: @Sendable () throws -> String?
  private let kept = Mutex<Secret?>(nil)

  /// - Parameter read: looks in the environment or the profile; nil or nothing but blanks where there is none.
  package init(_ read: @escaping @Sendable () throws -> String?) { self.read = read }

  /// The key, masked wherever it is printed.
  ///
  /// - Throws: `WeatherError.keyMissing` where there is none, `.keyUnusable` for text that no header may carry.
  package func secret() throws(WeatherError) -> Secret {
    let found: Result<Secret, WeatherError> = kept.withLock { kept in
      if let kept { return .success(kept) }
      guard let text = try? read()?.split(whereSeparator: \.isWhitespace), let word = text.first else {
        return .failure(.keyMissing)
      }
      guard text.count == 1, let secret = Secret(String(word)) else { return .failure(.keyUnusable) }
      kept = secret
      return .success(secret)
    }
    return try found.get()
  }
}

/// The units asked for; whatever they are, our own values are °C and m/s.
package enum WeatherUnits: String, Hashable, Sendable {
  case metric
  /// The service's default: kelvins.
  case standard

  func celsius(_ temperature: Double) -> Double {
    switch self {
    case .metric: temperature
    case .standard: temperature - 273.15
    }
  }
}

extension MessageLanguage {
  /// The service's own code, which is not the ISO one for Korean; place names are found under `ko` nevertheless.
  var weatherCode: String {
    switch self {
    case .english: "en"
    case .korean: "kr"
    }
  }
}
