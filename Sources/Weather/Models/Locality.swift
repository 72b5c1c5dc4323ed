/// A place the geocoder knows.
package struct Locality: Hashable, Sendable {
  package var name: String?
  package var koreanName: String?
  package var englishName: String?
  package var coordinate: Coordinate
  package var country: String?
  package var state: String?

  package func name(in language: WeatherLanguage) -> String? {
    switch language {
    case .english: englishName ?? name
    case .korean: koreanName ?? name ?? englishName
    }
  }

  package var place: Place {
    Place(coordinate, name: englishName ?? name, koreanName: koreanName, country: country, state: state)
  }
}

extension Locality {
  /// Nil without a point on the globe.
  init?(_ tree: Tree) {
    guard let coordinate = Readings.place(tree) else { return nil }
    let names = tree["local_names"]
    self.init(
      name: tree["name"].text, koreanName: names["ko"].text, englishName: names["en"].text, coordinate: coordinate,
      country: tree["country"].text, state: tree["state"].text)
  }

  static func all(from reply: Tree, status: Int) throws(WeatherError) -> [Locality] {
    guard case .list(let elements) = reply else { throw .unreadable(status: status) }
    return elements.prefix(50).compactMap(Locality.init)
  }
}
