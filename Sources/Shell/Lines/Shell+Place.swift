import Engine

extension Shell {
  /// Says where in a script a failing line stands.
  package func place(of line: String?, at number: Int, in name: String) {
    context.sayPlace(of: line, at: number, in: name, session)
  }
}
