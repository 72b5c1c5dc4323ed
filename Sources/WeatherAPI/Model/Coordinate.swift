/// A valid point on the earth, in degrees.
package struct Coordinate: Hashable, Sendable {
  /// The latitude, -90 to 90, positive to the north.
  package let latitude: Double
  /// The longitude, -180 to 180, positive to the east.
  package let longitude: Double

  /// Creates a point.
  ///
  /// - Throws: `PlaceError` if it is out of range, for which the service's message would only be "wrong latitude".
  package init(latitude: Double, longitude: Double) throws(PlaceError) {
    guard latitude.isFinite, (-90...90).contains(latitude) else { throw .latitudeOutOfRange }
    guard longitude.isFinite, (-180...180).contains(longitude) else { throw .longitudeOutOfRange }
    self.latitude = latitude
    self.longitude = longitude
  }

  /// The latitude with at most four decimals, which are eleven metres, such as `37.5798`.
  package var latitudeText: String { DecimalText.trimmed(latitude, 4) }
  package var longitudeText: String { DecimalText.trimmed(longitude, 4) }

  /// The point as text, such as `37.5798, 126.9771`.
  package var text: String { latitudeText + ", " + longitudeText }
}
