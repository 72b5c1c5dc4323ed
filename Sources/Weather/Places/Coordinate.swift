/// A point on the earth, in degrees; what is out of range cannot be one.
package struct Coordinate: Hashable, Sendable {
  /// -90 to 90, north is positive.
  package let latitude: Double
  /// -180 to 180, east is positive.
  package let longitude: Double

  /// Throws `PlaceMisread` for what lies outside the globe: the service would only say "wrong latitude".
  package init(latitude: Double, longitude: Double) throws(PlaceMisread) {
    guard latitude.isFinite, (-90...90).contains(latitude) else { throw .latitudeOutOfRange }
    guard longitude.isFinite, (-180...180).contains(longitude) else { throw .longitudeOutOfRange }
    self.latitude = latitude
    self.longitude = longitude
  }

  /// `37.5798` as it is asked and shown: four decimals are eleven metres.
  package var latitudeText: String { Figures.short(latitude, 4) }
  package var longitudeText: String { Figures.short(longitude, 4) }

  /// `37.5798, 126.9771`
  package var text: String { latitudeText + ", " + longitudeText }
}
