import Foundation

/// An `errno`.
struct Errno: Error, Hashable {
  var code: Int32
}
