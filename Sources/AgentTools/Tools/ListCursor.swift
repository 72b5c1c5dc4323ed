/// The position in a list of products from which the next rows are read: a page of a size, and rows to skip in it.
struct ListCursor: Hashable {
  var page: Int
  var size: Int
  var skipped = 0

  init(page: Int, size: Int, skipped: Int = 0) {
    self.page = page
    self.size = size
    self.skipped = skipped
  }

  /// Parses a cursor of `text`.
  init?(_ text: String) {
    guard let match = text.wholeMatch(of: /p([0-9]{1,7})s([0-9]{1,3})k([0-9]{1,3})/), let page = Int(match.1),
      let size = Int(match.2), let skipped = Int(match.3), page > 0, (1...200).contains(size), skipped < size
    else { return nil }
    self.init(page: page, size: size, skipped: skipped)
  }

  var text: String { "p\(page)s\(size)k\(skipped)" }
}
