/// The health reported by the server, with its text.
package struct HealthStatus: Hashable, Sendable {
  package var isHealthy: Bool
  package var text: String

  package init(isHealthy: Bool, text: String) {
    self.isHealthy = isHealthy
    self.text = text
  }
}
