/// A running script: its file and its arguments.
package struct ScriptFrame: Hashable, Sendable {
  /// The name as the user typed it.
  package var name: String
  /// The path without symbolic links, by which a script that runs itself is recognized.
  package var path: String
  package var arguments: [String]

  package init(name: String, path: String, arguments: [String]) {
    self.name = name
    self.path = path
    self.arguments = arguments
  }
}
