/// The caches of all endpoints, created once and shared by all tasks.
package struct WeatherCaches: Sendable {
  package let addresses = ResponseCache<[Locality]>()
  package let current = ResponseCache<CurrentConditions>()
  package let forecasts = ResponseCache<Forecast>()
  package let searches = ResponseCache<[Locality]>()

  package init() {}
}
