import Foundation
import NIOSSL

/// Trust roots in addition to the system's.
package struct TrustRoots: Hashable, Sendable {
  package let pem: Data

  /// Creates trust roots from certificates in PEM form.
  ///
  /// - Throws: `InvalidPEMError` if there is none, or if one cannot be read.
  package init(pem: Data) throws(InvalidPEMError) {
    guard let found = try? NIOSSLCertificate.fromPEMBytes(Array(pem)), !found.isEmpty else { throw InvalidPEMError() }
    self.pem = pem
  }

  /// The error for a file without a readable certificate.
  package struct InvalidPEMError: Error, Hashable, Sendable {}
}
