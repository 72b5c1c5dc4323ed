/// A secret and the shell variable that a curl line reads it from, `OPENMARKET_SECRET`.
package struct NamedSecret: Hashable, Sendable {
  package var variable: String
  package var secret: Secret
  package init(_ variable: String, _ secret: Secret) {
    self.variable = variable
    self.secret = secret
  }
}
