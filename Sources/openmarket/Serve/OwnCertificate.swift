import Crypto
import Foundation
import Platform
import SwiftASN1
import X509

/// A certificate that `serve --tls self` makes and signs itself, kept in the market's folder.
///
/// It is valid for 397 days, the most that Apple's systems accept, and is its own authority, so that it can be added to the
/// trusted ones of a simulator.
struct OwnCertificate {
  /// The PEM file of the certificate, to hand out.
  let path: String
  let keyPath: String
  /// The SHA-256 of the certificate in hexadecimal digits.
  let fingerprint: String

  private static let lifetime: TimeInterval = 397 * 86_400
  /// A certificate that has less time left is replaced.
  private static let leastRest: TimeInterval = 7 * 86_400

  /// Reads the certificate of the folder, or makes one if there is none for these names.
  ///
  /// - Parameters:
  ///   - names: Host names and IP addresses.
  ///   - folder: The folder of the market.
  ///   - now: The current time.
  /// - Throws: Errors of the files.
  init(for names: [String], in folder: String, now: Date = Date()) throws {
    path = folder + "/certificate.pem"
    keyPath = folder + "/certificate.key"
    if let text = try? String(contentsOfFile: path, encoding: .utf8), let found = try? Certificate(pemEncoded: text),
      found.notValidAfter > now.addingTimeInterval(OwnCertificate.leastRest),
      (try? found.extensions.subjectAlternativeNames).map(Array.init) == names.map(OwnCertificate.name),
      FileManager.default.isReadableFile(atPath: keyPath)
    {
      fingerprint = try OwnCertificate.fingerprint(of: found)
      return
    }
    let key = P256.Signing.PrivateKey()
    let subject = try DistinguishedName { CommonName("openmarket serve") }
    let certificate = try Certificate(
      version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: .init(key.publicKey),
      notValidBefore: now.addingTimeInterval(-3600),
      notValidAfter: now.addingTimeInterval(OwnCertificate.lifetime - 3600),
      issuer: subject, subject: subject, signatureAlgorithm: .ecdsaWithSHA256,
      extensions: try Certificate.Extensions {
        Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
        Critical(KeyUsage(digitalSignature: true, keyCertSign: true))
        try ExtendedKeyUsage([.serverAuth])
        SubjectAlternativeNames(names.map(OwnCertificate.name))
      }, issuerPrivateKey: .init(key))
    try Files.write(Data(key.pemRepresentation.utf8), to: keyPath, mode: 0o600)
    try Files.write(Data((try certificate.serializeAsPEM().pemString + "\n").utf8), to: path, mode: 0o644)
    fingerprint = try OwnCertificate.fingerprint(of: certificate)
  }

  private static func name(_ text: String) -> GeneralName {
    for (family, size) in [(AF_INET, 4), (AF_INET6, 16)] {
      var address = [UInt8](repeating: 0, count: size)
      if inet_pton(family, text, &address) == 1 {
        return .ipAddress(ASN1OctetString(contentBytes: address[...]))
      }
    }
    return .dnsName(text)
  }

  private static func fingerprint(of certificate: Certificate) throws -> String {
    var serializer = DER.Serializer()
    try serializer.serialize(certificate)
    return SHA256.hash(data: serializer.serializedBytes).map { byte in
      let digits = String(byte, radix: 16, uppercase: true)
      return digits.count == 1 ? "0" + digits : digits
    }.joined(separator: ":")
  }
}
