/// The kept answers of all endpoints; made once and handed to every task.
package struct WeatherCaches: Sendable {
  package let addresses = AnswerCache<[Locality]>()
  package let current = AnswerCache<Conditions>()
  package let forecasts = AnswerCache<Forecast>()
  package let searches = AnswerCache<[Locality]>()

  package init() {}
}
