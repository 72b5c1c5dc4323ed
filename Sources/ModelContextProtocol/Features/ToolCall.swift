import Networking

/// The surroundings of one call of a tool.
package struct ToolCall: Sendable {
  /// The name of the client program, for display, or `nil`.
  package var client: String?
  /// Reports progress to the client, if it asked for that.
  package var report: @Sendable (_ progress: Int, _ total: Int?, _ message: String) -> Void

  package init(
    client: String? = nil,
    report: @escaping @Sendable (_ progress: Int, _ total: Int?, _ message: String) -> Void = { _, _, _ in }
  ) {
    self.client = client
    self.report = report
  }
}
