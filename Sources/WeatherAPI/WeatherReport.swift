import Text

/// The results of the three requests.
///
/// Each may fail independently, and the rest is still shown.
package struct WeatherReport: Hashable, Sendable {
  /// The result of one of the three requests.
  package enum Part<Value: Hashable & Sendable>: Hashable, Sendable {
    /// A current response: received now or within the last ten minutes.
    case fresh(Value)
    /// An older response, because a new one was not available.
    case stale(Value, WeatherError)
    case failed(WeatherError)

    package var value: Value? {
      switch self {
      case .fresh(let value), .stale(let value, _): value
      case .failed: nil
      }
    }

    package var error: WeatherError? {
      switch self {
      case .fresh: nil
      case .stale(_, let error), .failed(let error): error
      }
    }

    package var isStale: Bool { value != nil && error != nil }
  }

  /// The requested place.
  package var place: Place
  package var address: Part<[Place]>
  package var current: Part<CurrentConditions>
  package var forecast: Part<Forecast>
  package var language: MessageLanguage
  package var isSample = false

  /// Indicates that there is no weather, not even an old response: exit status 1 or 3.
  package var isFailure: Bool { current.value == nil && forecast.value == nil }

  package var errors: [WeatherError] { failures.map(\.error) }

  /// The failed parts in order.
  package var failures: [(name: LocalizedText, key: String, error: WeatherError, isStale: Bool)] {
    let parts = [
      (LocalizedText("address", ko: "주소"), "address", address.error, address.isStale),
      (LocalizedText("weather now", ko: "현재 날씨"), "current", current.error, current.isStale),
      (LocalizedText("five-day forecast", ko: "5일 예보"), "forecast", forecast.error, forecast.isStale),
    ]
    return parts.compactMap { part in part.2.map { (part.0, part.1, $0, part.3) } }
  }

  /// The offset of the place from UTC in seconds to the east; 0 if unknown.
  package var utcOffset: Int { current.value?.offset ?? forecast.value?.offset ?? 0 }

  /// Returns the name of the place: the requested name first, coordinates last.
  package func name(in language: MessageLanguage) -> String {
    place.name(in: language) ?? resolvedName(in: language) ?? place.coordinate.text
  }

  /// Returns the name of the nearest locality, or of the station.
  package func resolvedName(in language: MessageLanguage) -> String? {
    address.value?.first?.name(in: language) ?? current.value?.name ?? forecast.value?.name
  }

  package var country: String? {
    place.country ?? address.value?.first?.country ?? current.value?.country ?? forecast.value?.country
  }

  /// Returns `서울, KR`, or `우리집 (서울, KR)` if the requested name differs from the one found.
  package func title(in language: MessageLanguage) -> String {
    let asked = name(in: language)
    let land = country.map { ", " + $0 } ?? ""
    guard let found = resolvedName(in: language), found != asked else { return asked + land }
    return asked + " (" + found + land + ")"
  }

  package var days: [LocalDay] { LocalDay.days(of: forecast.value?.slots ?? [], offset: utcOffset) }
}
