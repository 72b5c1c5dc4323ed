/// The profile's setting for recording exchanges.
package enum CallRecording: String, Hashable, Sendable, CaseIterable {
  case on
  case off
}
