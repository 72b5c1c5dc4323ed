import NIOSSL

/// The certificate chain of a server with its private key, read from PEM files.
package struct ServerCertificate: Sendable {
  let context: NIOSSLContext

  /// Reads the files.
  ///
  /// - Throws: Errors of NIOSSL for files that can't be read or don't belong together.
  package init(certificates: String, key: String) throws {
    let chain = try NIOSSLCertificate.fromPEMFile(certificates).map { NIOSSLCertificateSource.certificate($0) }
    let key = try NIOSSLPrivateKey(file: key, format: .pem)
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: chain, privateKey: .privateKey(key))
    configuration.minimumTLSVersion = .tlsv12
    configuration.applicationProtocols = ["http/1.1"]
    context = try NIOSSLContext(configuration: configuration)
  }
}
