/// A list with rows on every page that was asked for, further than any market goes: its last page cannot be found.
struct EndlessList: Error {
  /// The furthest page that was read.
  let page: Int
}
