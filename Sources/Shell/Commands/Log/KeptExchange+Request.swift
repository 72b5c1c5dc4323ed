import Foundation
import Journal
import Marketplace
import Networking

extension KeptExchange {
  /// The request as it was, with placeholders where its secrets stood: a curl line made of it names their variables.
  ///
  /// - Parameter files: where the bytes of the form's files lie, in their order.
  func asRequest(files: [String] = []) -> Networking.Request? {
    guard let method = Networking.Method(rawValue: request.method) else { return nil }
    return Networking.Request(
      method, request.path, query: request.query.map { QueryItem($0.name, $0.value) },
      headers: request.headers.map { Networking.Header($0.name, $0.value) }, body: body(files),
      secrets: Placeholders.known)
  }

  /// True when the answer was the key for the next request.
  var answersTicket: Bool {
    guard case .text(let text, _, _) = reply?.body else { return false }
    return text == Placeholders.text(Credentials.ticketVariable)
  }

  private func body(_ files: [String]) -> Networking.Body {
    switch request.body {
    case .none, .bytes: return .none
    case .text(let text, let type, _): return .data(Data(text.utf8), type: type ?? "text/plain")
    case .form(let parts):
      var files = files[...]
      return .multipart(
        Multipart(
          boundary: "",
          parts: parts.map { part in
            let name = part.fileName.map { files.popFirst() ?? $0 }
            return Multipart.Part(
              name: part.name, fileName: name, type: part.type, content: Data((part.text ?? "").utf8))
          }))
    }
  }
}
