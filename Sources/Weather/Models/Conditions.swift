/// The weather now. Every part can be missing: the service leaves out what its stations do not tell.
package struct Conditions: Hashable, Sendable {
  /// Seconds since 1970 UTC: when it was measured.
  package var time: Int?
  /// Seconds east of UTC.
  package var offset: Int?
  package var sky: [Sky]
  /// °C, as are the next three. The lowest and highest are across the city now, not over the day.
  package var temperature: Double?
  package var feelsLike: Double?
  package var lowest: Double?
  package var highest: Double?
  /// hPa
  package var pressure: Double?
  /// Percent.
  package var humidity: Int?
  /// Metres, at most 10000.
  package var visibility: Int?
  package var wind: Wind?
  /// Percent.
  package var clouds: Int?
  /// mm in the last hour.
  package var rain: Double?
  package var snow: Double?
  /// Seconds since 1970 UTC; nil where the sun does not rise or set.
  package var sunrise: Int?
  package var sunset: Int?
  /// In Latin letters whatever the language.
  package var name: String?
  package var country: String?
}

extension Conditions {
  init(_ tree: Tree, in units: WeatherUnits) {
    let readings = Readings(tree: tree, units: units)
    self.init(
      time: Readings.instant(tree["dt"]), offset: Readings.offset(tree["timezone"]), sky: readings.sky,
      temperature: readings.temperature("temp"), feelsLike: readings.temperature("feels_like"),
      lowest: readings.temperature("temp_min"), highest: readings.temperature("temp_max"),
      pressure: tree["main"]["pressure"].number, humidity: tree["main"]["humidity"].whole,
      visibility: tree["visibility"].whole, wind: readings.wind, clouds: tree["clouds"]["all"].whole,
      rain: readings.fall("rain"), snow: readings.fall("snow"), sunrise: Readings.instant(tree["sys"]["sunrise"]),
      sunset: Readings.instant(tree["sys"]["sunset"]), name: tree["name"].text,
      country: tree["sys"]["country"].text)
  }
}
