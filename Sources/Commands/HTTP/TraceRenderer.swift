import Foundation
import Networking
import Presentation
import ShellRuntime
import Text

/// An exchange for display: `>` before what was sent, `<` before what was received, bodies formatted and limited in
/// length, secrets as `•••`.
package struct TraceRenderer {
  /// The maximum number of lines of a body.
  ///
  /// The remaining lines are counted.
  package static let maxBodyLines = 60

  private let exchange: Exchange
  private let maskers: (sent: SecretRedactor, received: SecretRedactor)

  package init(_ exchange: Exchange, hiding secrets: [NamedSecret]) {
    self.exchange = exchange
    let secrets = exchange.secrets + secrets
    maskers = (SecretRedactor(secrets, in: .request), SecretRedactor(secrets))
  }

  /// Returns the text.
  ///
  /// Without `showsBodies` only the heads are shown, as in `curl -v`.
  package func render(_ options: RenderOptions, showsBodies: Bool = true) -> String {
    let request = exchange.request
    let response = try? exchange.outcome.get()
    var lines = lines("> ", ["\(request.method.rawValue) \(request.target) HTTP/1.1"] + head(of: request, response))
    let sent = BodyPreview(request.body)
    if showsBodies, !sent.lines.isEmpty { lines += self.lines("> ", [""]) + self.lines("> ", sent.lines) }
    switch exchange.outcome {
    case .success(let response):
      lines += self.lines("< ", ["HTTP/1.1 \(response.status)"] + response.headers.map { "\($0.name): \($0.value)" })
      let body = BodyPreview(response)
      if showsBodies, !body.lines.isEmpty { lines += self.lines("< ", [""]) + self.lines("< ", body.lines) }
    case .failure(let failure): lines += self.lines("< ", ["(" + failure.evidence.english + ")"])
    }
    lines.append("- \(TimingTable.milliseconds(exchange.duration)) ms")
    return lines.map { $0 + "\n" }.joined()
  }

  /// Returns the headers that were actually sent, if they are known.
  private func head(of request: Request, _ response: Response?) -> [String] {
    if let sent = response?.timing?.headers, !sent.isEmpty { return sent.map { "\($0.name): \($0.value)" } }
    let type = request.body.type.map { [HeaderField("Content-Type", $0)] } ?? []
    return ([HeaderField("Host", exchange.base.host ?? "")] + type + request.headers).map { "\($0.name): \($0.value)" }
  }

  private func lines(_ mark: String, _ texts: [String]) -> [String] {
    let masker = mark.hasPrefix(">") ? maskers.sent : maskers.received
    return texts.map { mark + Sanitizer.sanitized(TraceRenderer.masked($0, by: masker), limit: 2_000) }
  }

  /// Returns the beginning of a long text with secrets masked.
  ///
  /// The last part, which may contain half of a secret, is removed.
  private static func masked(_ text: String, by masker: SecretRedactor) -> String {
    let beginning = String(text.prefix(20_000))
    guard beginning.utf8.count < text.utf8.count else { return masker.mask(text) }
    var pieces = masker.pieces(of: beginning)
    if case .text(let last)? = pieces.last { pieces[pieces.count - 1] = .text(String(last.dropLast(16_000))) }
    return pieces.map { piece in
      switch piece {
      case .text(let text): text
      case .secret: Secret.mask
      }
    }.joined() + "…"
  }
}
