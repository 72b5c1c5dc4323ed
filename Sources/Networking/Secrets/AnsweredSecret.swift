import Foundation

/// The key in an answer that is one: the text itself, or of an address what goes beyond the request's own path.
package enum AnsweredSecret {
  /// Nil when the answer is none, or nothing in it can be one.
  package static func of(_ reply: Reply, to request: Request) -> NamedSecret? {
    guard let variable = request.answeredSecret else { return nil }
    let text = String(decoding: reply.body, as: UTF8.self)
      .trimmingCharacters(in: CharacterSet(charactersIn: "\" \t\r\n"))
    var rest = text[...]
    for segment in request.path where rest.hasPrefix("/" + segment + "/") { rest = rest.dropFirst(segment.count + 1) }
    if rest.startIndex != text.startIndex { rest = rest.dropFirst() }
    return Secret(String(rest)).map { NamedSecret(variable, $0) }
  }
}
