import Foundation
import MarketAPI
import Platform
import ShellRuntime
import WeatherAPI

/// The weather service of a session, with its key.
struct WeatherServiceFactory {
  let session: Session
  let context: CommandContext

  /// Returns the embedded sample service if the demo profile has no key, otherwise OpenWeatherMap or the service at
  /// `OPENWEATHER_URL`.
  ///
  /// The service itself reports a missing key.
  ///
  /// - Throws: `CommandError` for an invalid URL.
  func makeService() async throws -> OpenWeather {
    let key = context.weather.keys.key(of: session.server.profile?.value)
    let language = session.settings.language
    let text = context.environment["OPENWEATHER_URL"].flatMap { $0.isEmpty ? nil : $0 }
    if let text {
      guard let address = ServerAddress(text) else { throw SessionFactory.noAddress(text) }
      return OpenWeather(baseURL: address.url, access: .key(key), language: language)
    }
    if session.server.isEmbedded, isMissing(key) {
      let url = try await context.embedded.address(session.server.edition?.value ?? .open)
      return OpenWeather(baseURL: url, access: .sample, language: language)
    }
    return OpenWeather(access: .key(key), language: language)
  }

  private func isMissing(_ key: APIKeyProvider) -> Bool {
    do throws(WeatherError) {
      _ = try key.secret()
      return false
    } catch {
      return error == .keyMissing
    }
  }
}
