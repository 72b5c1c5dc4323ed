import Text

/// Where the weather is wanted, as it is kept with a profile: a point, and what people call it.
package struct Place: Hashable, Sendable {
  package var coordinate: Coordinate
  /// In Latin letters, as the service writes it; nil for a place given by numbers.
  package var name: String?
  package var koreanName: String?
  /// ISO 3166 code.
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

  /// `London, Ohio, US`: enough to choose among five of the same name.
  package func title(in language: MessageLanguage) -> String {
    [name(in: language) ?? coordinate.text, state, country].compactMap(\.self).joined(separator: ", ")
  }
}

/// A place the geocoder knows.
package struct Locality: Hashable, Sendable {
  package var name: String?
  package var koreanName: String?
  package var englishName: String?
  package var coordinate: Coordinate
  package var country: String?
  package var state: String?

  package func name(in language: MessageLanguage) -> String? {
    switch language {
    case .english: englishName ?? name
    case .korean: koreanName ?? name ?? englishName
    }
  }

  package var place: Place {
    Place(coordinate, name: englishName ?? name, koreanName: koreanName, country: country, state: state)
  }
}
