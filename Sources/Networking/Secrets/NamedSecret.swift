/// A secret and the environment variable that a curl line reads it from, such as `OPENMARKET_SECRET`.
package struct NamedSecret: Hashable, Sendable {
  package var environmentVariable: String
  package var secret: Secret
  package init(_ variable: String, _ secret: Secret) {
    self.environmentVariable = variable
    self.secret = secret
  }
}
