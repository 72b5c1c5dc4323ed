/// The versions of the Model Context Protocol that the server speaks.
package enum ProtocolVersion {
  /// The version without a handshake: every request names it.
  package static let modern = "2026-07-28"
  /// The versions that begin with `initialize`, newest first.
  package static let legacy = ["2025-11-25", "2025-06-18"]
  package static let supported = [modern] + legacy
}
