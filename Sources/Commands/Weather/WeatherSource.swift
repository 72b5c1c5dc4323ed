import Catalog
import Engine
import Foundation
import Marketplace
import Presentation
import Text
import Weather

/// Which service answers a session's questions about the weather, and by what right.
struct WeatherSource {
  let session: Session
  let context: Context

  /// The embedded sample service where the demo has no key; otherwise OpenWeatherMap, or `OPENWEATHER_URL`.
  ///
  /// Throws `Failure` for an address that is none; a missing key is the service's to say.
  func service() async throws -> OpenWeather {
    let key = context.weatherKeys.key(of: session.place.profile?.value)
    let language = session.settings.tongue
    let text = context.environment["OPENWEATHER_URL"].flatMap { $0.isEmpty ? nil : $0 }
    if let text {
      guard let address = ServerAddress(text) else { throw Opening.noAddress(text) }
      return OpenWeather(baseURL: address.url, access: .key(key), language: language)
    }
    if session.place.isEmbedded, isMissing(key) {
      let url = try await context.embedded(session.place.edition?.value ?? .open)
      return OpenWeather(baseURL: url, access: .sample, language: language)
    }
    return OpenWeather(access: .key(key), language: language)
  }

  private func isMissing(_ key: WeatherKey) -> Bool {
    do throws(WeatherError) {
      _ = try key.secret()
      return false
    } catch {
      return error == .keyMissing
    }
  }
}
