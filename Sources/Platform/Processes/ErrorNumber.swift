/// What the system says against something, an `errno`.
struct ErrorNumber: Error, Hashable {
  var code: Int32
}
