import Foundation

extension URLComponents {
  /// False for a port that no socket has: 0, 65536, or more digits than a number holds, which Foundation passes over.
  package var hasSoundPort: Bool {
    guard let range = rangeOfPort, !range.isEmpty else { return true }
    return port.map { (1...65_535).contains($0) } ?? false
  }
}
