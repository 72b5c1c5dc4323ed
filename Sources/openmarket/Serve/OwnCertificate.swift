import CommandLanguage
import EmbeddedMarket
import Foundation
import Platform
import Presentation
import ShellRuntime
import Text

/// A certificate that `serve --tls self` has `openssl` make and sign with its own key, stored in the market's folder.
///
/// It is valid for 397 days, the most that Apple's systems accept, and is its own authority, so that it can be added to the
/// trusted ones of a simulator.
struct OwnCertificate {
  /// The PEM file of the certificate, to hand out.
  let path: String
  let certificate: ServerCertificate

  private static let lifetimeInDays = 397
  /// A certificate that has less time left is replaced.
  private static let minimumRest: TimeInterval = 7 * 86_400

  /// Reads the certificate of the folder, or makes one if there is none for these names.
  ///
  /// - Parameters:
  ///   - names: Host names and IP addresses. Texts that are neither are left out.
  ///   - folder: The folder of the market.
  /// - Throws: `CommandError` if `openssl` is missing or fails; errors of the files.
  init(for names: [String], in folder: String) async throws {
    path = folder + "/certificate.pem"
    let keyPath = folder + "/certificate.key"
    let names = names.compactMap(OwnCertificate.name)
    if let found = try? ServerCertificate(certificates: path, key: keyPath), found.names == names.map(\.text),
      found.expiry > Date().addingTimeInterval(OwnCertificate.minimumRest)
    {
      certificate = found
      return
    }
    let (key, made) = try await OwnCertificate.make(for: names)
    try Files.write(Data(key.utf8), to: keyPath, mode: 0o600)
    try Files.write(Data(made.utf8), to: path, mode: 0o644)
    certificate = try ServerCertificate(certificates: path, key: keyPath)
  }

  /// The SHA-256 of the certificate as pairs of hexadecimal digits.
  var fingerprint: String {
    var digits = Substring(SHA256.hex(Data(certificate.bytes)).uppercased())
    var pairs: [Substring] = []
    while !digits.isEmpty {
      pairs.append(digits.prefix(2))
      digits = digits.dropFirst(2)
    }
    return pairs.joined(separator: ":")
  }

  /// Returns the kind of a name as `openssl` writes it, and the name, or `nil` if it can be neither an address nor a name.
  private static func name(_ text: String) -> (kind: String, text: String)? {
    for (family, size) in [(AF_INET, 4), (AF_INET6, 16)] {
      var address = [UInt8](repeating: 0, count: size)
      if inet_pton(family, text, &address) == 1 { return ServerCertificate.text(ofAddress: address).map { ("IP", $0) } }
    }
    let isName = text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-._".contains($0)) }
    return isName && !text.isEmpty ? ("DNS", text) : nil
  }

  /// Returns a new key and its certificate in PEM.
  ///
  /// Both come through a file without a name, so that the key is nowhere before it is in a file of its own.
  private static func make(
    for names: [(kind: String, text: String)]
  ) async throws -> (key: String, certificate: String) {
    let settings = """
      [req]
      prompt = no
      distinguished_name = subject
      x509_extensions = extensions
      [subject]
      CN = openmarket serve
      [extensions]
      basicConstraints = critical, CA:TRUE, pathlen:0
      keyUsage = critical, digitalSignature, keyCertSign
      extendedKeyUsage = serverAuth
      subjectAltName = \(names.map { "\($0.kind):\($0.text)" }.joined(separator: ", "))

      """
    let words = [
      "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-sha256", "-nodes", "-days",
      String(lifetimeInDays), "-config", "/dev/stdin", "-keyout", "-",
    ]
    let (ending, output) = await Subprocess(words, environment: Environment.current(), ShutdownCoordinator())
      .capture(input: [UInt8](settings.utf8), seesErrors: false)
    let blocks = output.matches(of: #/-----BEGIN (.+)-----\n[A-Za-z0-9+\/=\n]+-----END \1-----\n/#)
    func block(_ title: String) -> String? { blocks.first { $0.1 == title }.map { String($0.0) } }
    if case .exit(0) = ending, let key = block("PRIVATE KEY"), let certificate = block("CERTIFICATE") {
      return (key, certificate)
    }
    let message = Message.failure("Could not make a certificate.", ko: "인증서를 만들 수 없습니다.")
    if case .failedToStart(let code) = ending {
      throw CommandError(
        .refused,
        message.because(CommandError.reason(code)).next(
          "Install openssl (the package openssl), or name the files of a certificate: \(.command("--tls CERT KEY")).",
          ko: "openssl(openssl 패키지)을 설치하거나, 인증서 파일을 지정하세요: \(.command("--tls CERT KEY"))."))
    }
    // The key may be a part of the output of a program that failed.
    let said = blocks.reversed().reduce(into: output) { $0.removeSubrange($1.range) }
      .split(whereSeparator: \.isNewline).filter { $0.contains { $0.isLetter } }.joined(separator: "; ")
    throw CommandError(
      .refused, message.because("openssl failed: \(.foreign(said))", ko: "openssl 실패: \(.foreign(said))"))
  }
}
