import Foundation

/// What somebody typed after `weather`: two numbers, or a name to look up.
package enum PlaceInput: Hashable, Sendable {
  case coordinate(Coordinate)
  case name(String)

  /// Reads `37.57 126.98`, `37.57,126.98`, `-33.87, 151.2`, `서울`, `London, GB`; throws `PlaceMisread`.
  package init(_ text: String) throws(PlaceMisread) {
    let words = text.split { $0 == "," || $0.isWhitespace }.map(String.init)
    guard !words.isEmpty else { throw .empty }
    let numbers = words.compactMap(Figures.number)
    if numbers.count == words.count {
      guard numbers.count != 1 else { throw .longitudeMissing }
      if numbers.count == 2 {
        self = .coordinate(try Coordinate(latitude: numbers[0], longitude: numbers[1]))
        return
      }
    }
    guard text.count <= 100 else { throw .nameTooLong }
    let name = ForeignText.tame(text)
    guard !name.isEmpty else { throw .empty }
    self = .name(name)
  }
}
