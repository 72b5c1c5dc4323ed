/// A script named in a line.
package struct ScriptReference: Hashable, Sendable {
  /// The path of the file.
  package var path: String
  /// The name as the user typed it.
  package var name: String
  /// The values of `$1`, `$2` … in the script.
  package var arguments: [String]

  package init(_ path: String, named name: String, arguments: [String] = []) {
    self.path = path
    self.name = name
    self.arguments = arguments
  }
}
