/// The numbers of one page (protocol, B.2): `limit` is the end index, not the size of a page.
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
