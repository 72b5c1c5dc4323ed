import Foundation
import MarketAPI
import Networking
import ShellRuntime
import WriteJournal

extension StoredExchange.Request {
  /// The headers including the media type of the body, which the request stores separately.
  var sentHeaders: [StoredExchange.NameValue] {
    let type: String? =
      switch body {
      case .none: nil
      case .text(_, let type, _), .bytes(let type, _, _): type
      case .form: "multipart/form-data"
      }
    guard let type, !headers.contains(where: { $0.name.lowercased() == "content-type" }) else { return headers }
    return headers + [StoredExchange.NameValue("Content-Type", type)]
  }
}

extension StoredExchange {
  /// Returns the request with placeholders for its secrets, so that a curl command uses their variables, or `nil` for an
  /// unknown method.
  ///
  /// The data of files isn't included.
  package func asRequest() -> Networking.Request? {
    guard let method = Networking.RequestMethod(rawValue: request.method) else { return nil }
    return Networking.Request(
      method, request.path, query: request.query.map { QueryItem($0.name, $0.value) },
      headers: request.headers.map { Networking.HeaderField($0.name, $0.value) }, body: requestBody,
      secrets: SecretPlaceholders.known + SecretPlaceholders.found(in: request.headers.map(\.value)))
  }

  /// The URL of the request with placeholders for its secrets, or `nil` for an unknown method or a base that isn't a URL.
  var address: String? { URL(string: base).flatMap { base in asRequest().flatMap { try? $0.url(at: base) } } }

  /// Returns the request as a curl command that reads the secrets from variables, or `nil` for an unknown method.
  func curl(to base: URL, _ pictures: inout ExchangePictures) -> String? {
    asRequest()?.curl(to: base, returnsDeletionToken ? .commandSubstitution : .plain) { _, name in
      pictures.path(of: name)
    }
  }

  /// A Boolean value that indicates whether the response was the token for the next request.
  var returnsDeletionToken: Bool {
    guard case .text(let text, _, _) = response?.body else { return false }
    return text == SecretPlaceholders.text(Credentials.deletionTokenVariable)
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
