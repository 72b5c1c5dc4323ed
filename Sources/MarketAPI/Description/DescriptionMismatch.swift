/// A response that isn't as the description of its market says.
package struct DescriptionMismatch: Hashable, Sendable {
  package enum Problem: Hashable, Sendable {
    /// There is no list; the response has these lists and objects.
    case noList(found: [String])
    /// There is no object of a product; the response has these members.
    case noProduct(found: [String])
    /// There is no value.
    case missing
    /// The value is another one.
    case wrong(String)
    /// A page that isn't the last has fewer rows than were requested, so the next page would skip rows.
    case capped(rows: Int, requested: Int)
    /// The next page has a URL of another server, or one outside of the path of the API.
    case foreignLink(String)
    /// An array has this number of elements, but the file describes its only element.
    case elements(Int)
  }

  /// The place in the response.
  package var location: String
  /// The file with the line and column that describe it.
  package var position: String
  package var problem: Problem

  package init(_ problem: Problem, at location: String, describedAt position: String) {
    (self.location, self.position, self.problem) = (location, position, problem)
  }
}
