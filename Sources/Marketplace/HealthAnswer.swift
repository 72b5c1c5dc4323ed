/// Whether the market says it is well, and what it said.
package struct HealthAnswer: Hashable, Sendable {
  package var isHealthy: Bool
  package var text: String

  package init(isHealthy: Bool, text: String) {
    self.isHealthy = isHealthy
    self.text = text
  }
}
