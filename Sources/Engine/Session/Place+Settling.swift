import Foundation
import Journal

extension Place {
  /// How long a write may still take effect after we gave up on it: the profile's word, 5 s here, 60 s elsewhere.
  package func settle(at url: URL) -> Settle {
    if let settleSeconds { return Settle(window: .seconds(settleSeconds)) }
    return ["127.0.0.1", "localhost", "::1"].contains(url.host ?? "") ? .loopback : .remote
  }
}
