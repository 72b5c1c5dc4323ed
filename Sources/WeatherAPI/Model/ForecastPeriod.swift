/// Three hours of a forecast.
package struct ForecastPeriod: Hashable, Sendable {
  /// The start as a Unix time.
  package var time: Int
  package var sky: [Sky]
  /// The temperature in °C, like the next three.
  package var temperature: Double?
  package var feelsLike: Double?
  package var lowest: Double?
  package var highest: Double?
  /// The pressure in hPa.
  package var pressure: Double?
  /// The humidity in percent.
  package var humidity: Int?
  package var visibility: Int?
  package var wind: Wind?
  package var clouds: Int?
  /// The probability of precipitation, 0 to 1.
  package var precipitationProbability: Double?
  /// The rain in these three hours in mm.
  package var rain: Double?
  package var snow: Double?

  /// The precipitation in mm.
  package var wet: Double { (rain ?? 0) + (snow ?? 0) }
}

extension ForecastPeriod {
  /// Creates a period without measurements.
  package init(at time: Int) { self.init(time: time, sky: []) }
}
