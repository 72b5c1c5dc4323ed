import WeatherAPI

/// The weather service and its keys.
package struct WeatherServices: Sendable {
  /// The weather service.
  ///
  /// It caches its responses, and cancels the requests for a place when another one is requested.
  package var service: WeatherService
  package var keys: WeatherKeyCache
}
