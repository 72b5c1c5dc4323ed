/// Five days in slots of three hours, in the order of time.
package struct Forecast: Hashable, Sendable {
  package var slots: [Slot]
  package var name: String?
  package var country: String?
  /// Seconds east of UTC, one for all slots.
  package var offset: Int?
  package var sunrise: Int?
  package var sunset: Int?
}

extension Forecast {
  init(_ tree: Tree, in units: WeatherUnits) {
    let city = tree["city"]
    // More than 240 slots is no five days; what is cut would not be shown anyway.
    let slots = tree["list"].list.prefix(240).compactMap { Slot($0, in: units) }
    self.init(
      slots: slots.sorted { $0.time < $1.time }, name: city["name"].text, country: city["country"].text,
      offset: Readings.offset(city["timezone"]), sunrise: Readings.instant(city["sunrise"]),
      sunset: Readings.instant(city["sunset"]))
  }
}
