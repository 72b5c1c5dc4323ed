import Foundation

extension JSON {
  /// Reads a whole text, or throws `NotJSON`; never traps, whatever a server sends.
  ///
  /// Lenient where a strict reader would lose a whole page for one value: bytes that are not UTF-8 and halves of
  /// surrogates become U+FFFD, raw control characters stay, odd bare words become `.odd`.
  package init(parsing data: Data) throws(NotJSON) {
    var parser = JSONParser(bytes: Array(data))
    self = try parser.document()
  }
}
