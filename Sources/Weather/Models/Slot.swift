/// Three hours of a forecast.
package struct Slot: Hashable, Sendable {
  /// Seconds since 1970 UTC.
  package var time: Int
  package var sky: [Sky]
  /// °C, as are the next three.
  package var temperature: Double?
  package var feelsLike: Double?
  package var lowest: Double?
  package var highest: Double?
  /// hPa
  package var pressure: Double?
  /// Percent.
  package var humidity: Int?
  package var visibility: Int?
  package var wind: Wind?
  package var clouds: Int?
  /// How likely rain or snow is, 0 to 1.
  package var chance: Double?
  /// mm in these three hours.
  package var rain: Double?
  package var snow: Double?

  /// Rain and snow together, in mm.
  package var wet: Double { (rain ?? 0) + (snow ?? 0) }
}

extension Slot {
  /// Nil without a time: it could be put nowhere.
  init?(_ tree: Tree, in units: WeatherUnits) {
    guard let time = Readings.instant(tree["dt"]) else { return nil }
    let readings = Readings(tree: tree, units: units)
    self.init(
      time: time, sky: readings.sky, temperature: readings.temperature("temp"),
      feelsLike: readings.temperature("feels_like"), lowest: readings.temperature("temp_min"),
      highest: readings.temperature("temp_max"), pressure: tree["main"]["pressure"].number,
      humidity: tree["main"]["humidity"].whole, visibility: tree["visibility"].whole, wind: readings.wind,
      clouds: tree["clouds"]["all"].whole, chance: tree["pop"].number.map { min(1, max(0, $0)) },
      rain: readings.fall("rain"), snow: readings.fall("snow"))
  }
}
