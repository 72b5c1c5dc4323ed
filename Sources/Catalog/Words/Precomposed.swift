import Foundation

extension String {
  /// NFC: names typed on a Mac arrive as loose jamo and must compare and measure like everyone else's.
  package var precomposed: String { precomposedStringWithCanonicalMapping }
}
