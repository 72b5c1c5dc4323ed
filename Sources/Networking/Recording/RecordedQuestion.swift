import Foundation

/// What makes two requests the same question: server, method, address and body, without secrets, without the names that
/// are made afresh every time (boundaries, operations, file names).
package struct RecordedQuestion: Hashable, Sendable {
  package var base: String
  package var method: String
  package var target: String
  package var body: String

  package init(base: String, method: String, target: String, body: String) {
    self.base = base
    self.method = method
    self.target = target
    self.body = body
  }

  package init(_ request: Request, to base: URL, _ standIns: StandIns) {
    let text = base.absoluteString
    self.base = text.hasSuffix("/") ? String(text.dropLast()) : text
    method = request.method.rawValue
    target = standIns.hide(request.target, request.secrets)
    body = RecordedQuestion.text(of: request.body) { standIns.hide($0, request.secrets) }
  }

  private static func text(of body: Body, hide: (String) -> String) -> String {
    switch body {
    case .none: ""
    case .data(let data, _): String(validating: data, as: UTF8.self).map(hide) ?? digest(data)
    case .multipart(let form):
      form.parts.map { part in
        part.name + "="
          + (part.fileName == nil ? hide(String(decoding: part.content, as: UTF8.self)) : digest(part.content))
      }.joined(separator: "\n")
    }
  }

  /// Enough to tell a file from another by accident; nobody attacks a recording of their own (FNV-1a, 64 bits).
  private static func digest(_ data: Data) -> String {
    let hash = data.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    return "\(data.count) bytes \(String(hash, radix: 16))"
  }
}
