import Text

/// A place known to the geocoder.
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
