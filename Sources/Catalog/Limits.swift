/// The limits the API's document gives (protocol.md B.4, C.6); real servers enforced few of them.
package enum Limits {
  package static let name = 3...100
  package static let description = 10...1000
  package static let pictures = 1...5
  /// A picture must be smaller than this many bytes.
  package static let pictureBytes = 300 * 1024
  package static let pageSize = 1...1000
  /// Pages that can be asked for: more than any market has, and still far from where a product with a size would
  /// leave an `Int`.
  package static let page = 1...1_000_000_000_000
}
