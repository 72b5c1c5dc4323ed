import Text

/// The argument of `weather`: two numbers, or a name to look up.
package enum PlaceQuery: Hashable, Sendable {
  case coordinate(Coordinate)
  case name(String)

  /// Parses `37.57 126.98`, `37.57,126.98`, `-33.87, 151.2`, `서울`, `London, GB`.
  ///
  /// - Throws: `PlaceError` for a single number, a point out of range, and an empty or too long name.
  package init(_ text: String) throws(PlaceError) {
    let words = text.split { $0 == "," || $0.isWhitespace }.map(String.init)
    guard !words.isEmpty else { throw .empty }
    let numbers = words.compactMap(DecimalText.parse)
    if numbers.count == words.count {
      guard numbers.count != 1 else { throw .longitudeMissing }
      if numbers.count == 2 {
        self = .coordinate(try Coordinate(latitude: numbers[0], longitude: numbers[1]))
        return
      }
    }
    guard text.count <= 100 else { throw .nameTooLong }
    let name = Sanitizer.label(text)
    guard !name.isEmpty else { throw .empty }
    self = .name(name)
  }
}
