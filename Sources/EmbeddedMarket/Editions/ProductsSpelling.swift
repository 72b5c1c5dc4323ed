/// Where the editions `training` and `open` differ, over the same calls.
protocol ProductsSpelling: Sendable {
  /// `descriptions` or `description` in requests.
  var descriptionKey: String { get }
  var hasSearch: Bool { get }
  func page(_ numbers: PageNumbers, _ rows: [ProductRow], base: String) -> JSON
  func product(_ row: ProductRow, base: String) -> JSON
  func path(of picture: PictureRow, _ size: PictureSize) -> String
  func issued(edited at: Stamp, before: Stamp) -> Stamp
}
