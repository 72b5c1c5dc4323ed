import Foundation

/// Extracts the secret from a response that is one: the body itself, or of a URL the part after the request's own path.
package enum AnsweredSecret {
  /// Returns the secret, or `nil` if the response contains none.
  package static func extract(_ reply: Response, to request: Request) -> NamedSecret? {
    guard let variable = request.responseSecretName else { return nil }
    let text = String(decoding: reply.body, as: UTF8.self)
      .trimmingCharacters(in: CharacterSet(charactersIn: "\" \t\r\n"))
    var rest = text[...]
    for segment in request.path where rest.hasPrefix("/" + segment + "/") { rest = rest.dropFirst(segment.count + 1) }
    if rest.startIndex != text.startIndex { rest = rest.dropFirst() }
    return Secret(String(rest)).map { NamedSecret(variable, $0) }
  }
}
