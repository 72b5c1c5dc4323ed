/// A list with rows on every page that was asked for, further than any market goes: its last page cannot be found.
package struct EndlessList: Error {
  /// The furthest page that was read.
  package let page: Int
}
