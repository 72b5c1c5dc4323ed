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
