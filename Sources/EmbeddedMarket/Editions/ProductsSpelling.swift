/// Where the editions `training` and `open` differ, over the same calls.
protocol ProductsSpelling: Sendable {
  /// `descriptions` or `description` in requests.
  var descriptionKey: String { get }
  var hasSearch: Bool { get }
  func page(_ numbers: PageNumbers, _ rows: [ProductRow], base: String) -> WireJSON
  func product(_ row: ProductRow, base: String) -> WireJSON
  func path(of picture: PictureRow, _ size: PictureSize) -> String
  func issued(edited at: MarketTime, before: MarketTime) -> MarketTime
}

/// The numbers of one page (see Protocol): `limit` is the end index, not the size of a page.
struct PageNumbers: Hashable, Sendable {
  var page: Int64
  var size: Int64
  var total: Int64

  var offset: Int64 { (page - 1) * size }
  var limit: Int64 { page * size }
  var last: Int64 { (total + size - 1) / size }
  var hasNext: Bool { page < last }
  var hasPrevious: Bool { page > 1 }
}
