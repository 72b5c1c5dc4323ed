/// A script that is being run: which file, and what stood behind it on the line of `source`.
package struct ScriptFrame: Hashable, Sendable {
  /// As the person wrote it.
  package var name: String
  /// Without links, so that a script that comes back to itself is recognised.
  package var path: String
  package var arguments: [String]

  package init(name: String, path: String, arguments: [String]) {
    self.name = name
    self.path = path
    self.arguments = arguments
  }
}
