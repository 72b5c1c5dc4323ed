import Text

/// The place of a profile's weather: a point and its name.
package struct Place: Hashable, Sendable {
  package var coordinate: Coordinate
  /// The name in Latin letters as the service writes it, or `nil` for a place given by coordinates.
  package var name: String?
  package var koreanName: String?
  /// The ISO 3166 country code.
  package var country: String?
  package var state: String?

  package init(
    _ coordinate: Coordinate, name: String? = nil, koreanName: String? = nil, country: String? = nil,
    state: String? = nil
  ) {
    self.coordinate = coordinate
    self.name = name
    self.koreanName = koreanName
    self.country = country
    self.state = state
  }

  package func name(in language: MessageLanguage) -> String? {
    switch language {
    case .english: name
    case .korean: koreanName ?? name
    }
  }

  /// Returns the full name, such as `London, Ohio, US`, which distinguishes places of the same name.
  package func title(in language: MessageLanguage) -> String {
    [name(in: language) ?? coordinate.text, state, country].compactMap(\.self).joined(separator: ", ")
  }
}
