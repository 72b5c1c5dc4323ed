/// The current weather.
///
/// Any member may be missing, because the service omits what a station does not measure.
package struct CurrentConditions: Hashable, Sendable {
  /// The time of measurement as a Unix time.
  package var time: Int?
  /// The offset from UTC in seconds to the east.
  package var offset: Int?
  package var sky: [Sky]
  /// The temperature in °C, like the next three.
  ///
  /// The lowest and highest are those within the city now, not of the day.
  package var temperature: Double?
  package var feelsLike: Double?
  package var minTemperature: Double?
  package var maxTemperature: Double?
  /// The pressure in hPa.
  package var pressure: Double?
  /// The humidity in percent.
  package var humidity: Int?
  /// The visibility in metres, at most 10000.
  package var visibility: Int?
  package var wind: Wind?
  /// The cloud cover in percent.
  package var clouds: Int?
  /// The rain of the last hour in mm.
  package var rain: Double?
  package var snow: Double?
  /// The Unix time of sunrise, or `nil` if the sun does not rise.
  package var sunrise: Int?
  package var sunset: Int?
  /// The name of the station in Latin letters, in any language.
  package var name: String?
  package var country: String?
}
