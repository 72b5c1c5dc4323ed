import Foundation
import Networking
import Text

/// The digest of a raw request that writes, which is equal for equal requests, whatever the boundary of a form.
///
/// No read can tell what such a request did, so the journal holds it by this name; see `HeldItem`.
enum RawFingerprint {
  /// Returns the digest of a request.
  ///
  /// The session's server isn't part of it: the journal knows it by its profile, and the embedded market has another port
  /// at each start.
  static func of(_ request: Request, at origin: String?) -> String {
    let masker = SecretRedactor(request.secrets)
    var data = Data("raw\n\(request.method.rawValue) \(masker.mask((origin ?? "") + request.target))\n".utf8)
    for header in request.headers { data += Data("\(header.name): \(masker.mask(header.value))\n".utf8) }
    switch request.body {
    case .none: break
    case .data(let bytes, let type): data += Data("\(type)\n".utf8) + masker.mask(bytes: bytes)
    case .multipart(let form):
      for part in form.parts {
        data += Data("\(part.name)\n\(part.fileName ?? "")\n\(part.type ?? "")\n\(part.content.count)\n".utf8)
        data += masker.mask(bytes: part.content)
      }
    }
    return SHA256.hex(data)
  }
}
