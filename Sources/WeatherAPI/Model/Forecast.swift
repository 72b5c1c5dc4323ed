import Text

/// The forecast of five days in slots of three hours, in chronological order.
package struct Forecast: Hashable, Sendable {
  package var slots: [ForecastPeriod]
  package var name: String?
  package var country: String?
  /// The offset from UTC in seconds to the east, the same for all slots.
  package var offset: Int?
  package var sunrise: Int?
  package var sunset: Int?
}
