import Foundation
import NIOSSL

/// The certificate chain of a server with its private key, read from PEM files.
package struct ServerCertificate: Sendable {
  let context: NIOSSLContext
  /// The host names and IP addresses of the server's certificate.
  package let names: [String]
  /// The time until which the server's certificate is valid.
  package let expiry: Date
  /// The server's certificate in DER.
  package let bytes: [UInt8]

  /// Reads the files.
  ///
  /// - Throws: Errors of NIOSSL for files that can't be read or don't belong together.
  package init(certificates: String, key: String) throws {
    let chain = try NIOSSLCertificate.fromPEMFile(certificates)
    guard let own = chain.first else { throw NIOSSLError.failedToLoadCertificate }
    let key = try NIOSSLPrivateKey(file: key, format: .pem)
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
    configuration.minimumTLSVersion = .tlsv12
    configuration.applicationProtocols = ["http/1.1"]
    context = try NIOSSLContext(configuration: configuration)
    names = own._subjectAlternativeNames().compactMap(ServerCertificate.text)
    expiry = Date(timeIntervalSince1970: TimeInterval(own.notValidAfter))
    bytes = try own.toDERBytes()
  }

  private static func text(of name: _SubjectAlternativeName) -> String? {
    let bytes = name.contents.withUnsafeBufferPointer { Array($0) }
    switch name.nameType {
    case .dnsName: return String(decoding: bytes, as: UTF8.self)
    case .ipAddress: return text(ofAddress: bytes)
    default: return nil
    }
  }

  /// Returns the usual text of an IPv4 address of 4 bytes or an IPv6 address of 16, or `nil` for another number of bytes.
  package static func text(ofAddress bytes: [UInt8]) -> String? {
    guard let family = [4: AF_INET, 16: AF_INET6][bytes.count] else { return nil }
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    guard inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return nil }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
