import Foundation
import Text

/// The key of a cached response: everything that determines the weather it contains.
package struct CacheKey: Hashable, Sendable {
  private let address: String
  private let question: String
  private let language: MessageLanguage

  /// Creates a key for a point.
  ///
  /// Points within a hundred metres share it.
  package init(_ coordinate: Coordinate, from service: OpenWeather) {
    self.init(
      question: DecimalText.fixed(coordinate.latitude, 3) + "," + DecimalText.fixed(coordinate.longitude, 3),
      from: service)
  }

  package init(question: String, from service: OpenWeather) {
    address = service.baseURL.absoluteString
    self.question = question
    language = service.language
  }
}
