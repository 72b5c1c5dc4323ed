import Platform
import Synchronization
import Weather

/// The keys of the weather service, each read once: the environment's for every profile, otherwise the profile's own.
package final class WeatherKeys: Sendable {
  private let environment: Environment
  private let home: Home
  private let kept = Mutex<[String: WeatherKey]>([:])

  package init(_ environment: Environment, _ home: Home) {
    self.environment = environment
    self.home = home
  }

  /// The key of a profile; the nameless one of `--url` has only the environment's.
  package func key(of profile: String?) -> WeatherKey {
    kept.withLock { kept in
      let name = profile ?? ""
      if let key = kept[name] { return key }
      let key = WeatherKey { [environment, home] in
        if let key = environment[OpenWeather.keyVariable], !key.isEmpty { return key }
        return try profile.flatMap { try CredentialStore(home).weatherKey($0) }
      }
      kept[name] = key
      return key
    }
  }

  /// The next question reads the key anew.
  package func forget(_ profile: String) { kept.withLock { $0[profile] = nil } }
}
