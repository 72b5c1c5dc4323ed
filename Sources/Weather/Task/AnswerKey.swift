import Foundation

/// What an answer was to: two askings with the same key would get the same weather.
package struct AnswerKey: Hashable, Sendable {
  private let address: String
  private let question: String
  private let units: WeatherUnits
  private let language: WeatherLanguage

  /// Points within a hundred metres of each other share their weather.
  package init(_ coordinate: Coordinate, from service: OpenWeather) {
    self.init(
      question: Figures.fixed(coordinate.latitude, 3) + "," + Figures.fixed(coordinate.longitude, 3), from: service)
  }

  package init(question: String, from service: OpenWeather) {
    address = service.baseURL.absoluteString
    self.question = question
    units = service.units
    language = service.language
  }
}
