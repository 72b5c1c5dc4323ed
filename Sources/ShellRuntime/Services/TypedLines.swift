/// The lines that the user typed, in this session and earlier ones.
package struct TypedLines: Sendable {
  package var lines: @Sendable () async -> [String]
  /// Removes lines and returns their number.
  package var remove: @Sendable (Set<String>) async -> Int = { _ in 0 }
}
