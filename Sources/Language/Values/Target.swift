import Catalog

/// Which products a command means: `42`, `42,43`, `40-45`, `@3`, `@1-5`, `@all`, `_`, `mine`.
package enum Target: Hashable, Sendable {
  case ids([ClosedRange<Int>])
  /// Rows of the last listing, from 1.
  case rows([ClosedRange<Int>])
  case allRows
  /// `_`: the last product shown, made or changed.
  case last
  case mine
}
