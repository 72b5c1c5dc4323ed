import Catalog
import Foundation
import Networking
import Presentation
import Text

/// An exchange for people: `>` what was sent, `<` what came back, bodies set out and capped, secrets as `•••`.
package struct ExchangeText {
  /// Lines of one body; what is beyond is counted.
  package static let most = 60

  private let exchange: Exchange
  private let masker: Masker

  package init(_ exchange: Exchange, hiding secrets: [NamedSecret]) {
    self.exchange = exchange
    masker = Masker(exchange.secrets + secrets)
  }

  package func render(_ options: RenderOptions) -> String {
    let request = exchange.request
    let reply = try? exchange.outcome.get()
    var lines = lines("> ", ["\(request.method.rawValue) \(request.target) HTTP/1.1"] + head(of: request, reply))
    let sent = BodyText(request.body)
    if !sent.lines.isEmpty { lines += self.lines("> ", [""]) + self.lines("> ", sent.lines) }
    switch exchange.outcome {
    case .success(let reply):
      lines += self.lines("< ", ["HTTP/1.1 \(reply.status)"] + reply.headers.map { "\($0.name): \($0.value)" })
      let body = BodyText(reply)
      if !body.lines.isEmpty { lines += self.lines("< ", [""]) + self.lines("< ", body.lines) }
    case .failure(let failure): lines += self.lines("< ", ["(" + failure.evidence + ")"])
    }
    lines.append("- \(TimingTable.milliseconds(exchange.duration)) ms")
    return lines.map { $0 + "\n" }.joined()
  }

  /// As it really left, where that is known.
  private func head(of request: Request, _ reply: Reply?) -> [String] {
    if let sent = reply?.course?.headers, !sent.isEmpty { return sent.map { "\($0.name): \($0.value)" } }
    let type = request.body.type.map { [Header("Content-Type", $0)] } ?? []
    return ([Header("Host", exchange.base.host ?? "")] + type + request.headers).map { "\($0.name): \($0.value)" }
  }

  private func lines(_ mark: String, _ texts: [String]) -> [String] {
    texts.map { mark + Sanitizer.clean(masker.mask(String($0.prefix(20_000))), limit: 2_000) }
  }
}
