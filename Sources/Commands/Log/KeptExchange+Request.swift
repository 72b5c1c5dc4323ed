import Engine
import Foundation
import Journal
import Marketplace
import Networking

extension KeptExchange {
  /// The request as it was, with placeholders where its secrets stood: a curl line made of it names their variables.
  /// The bytes of files are not in it.
  func asRequest() -> Networking.Request? {
    guard let method = Networking.Method(rawValue: request.method) else { return nil }
    return Networking.Request(
      method, request.path, query: request.query.map { QueryItem($0.name, $0.value) },
      headers: request.headers.map { Networking.Header($0.name, $0.value) }, body: requestBody,
      secrets: Placeholders.known)
  }

  /// True when the answer was the key for the next request.
  var answersTicket: Bool {
    guard case .text(let text, _, _) = reply?.body else { return false }
    return text == Placeholders.text(Credentials.ticketVariable)
  }

  private var requestBody: Networking.Body {
    switch request.body {
    case .none, .bytes: .none
    case .text(let text, let type, _): .data(Data(text.utf8), type: type ?? "text/plain")
    case .form(let parts):
      .multipart(
        Multipart(
          boundary: "",
          parts: parts.map { part in
            Multipart.Part(
              name: part.name, fileName: part.fileName, type: part.type, content: Data((part.text ?? "").utf8))
          }))
    }
  }
}
