import Foundation
import Networking
import Presentation

/// A body as lines for people: JSON set out, text as it is, anything else by its size; a form part by part.
struct BodyText {
  private(set) var lines: [String] = []

  init(_ body: Body) {
    switch body {
    case .none: break
    case .data(let data, let type): add(data, type)
    case .multipart(let form):
      for part in form.parts {
        lines.append("--" + form.boundary)
        lines += part.head.split(separator: "\r\n").map(String.init) + [""]
        add(part.content, part.type ?? "text/plain")
      }
      lines.append("--" + form.boundary + "--")
    }
  }

  init(_ reply: Reply) {
    add(reply.body, reply.header("Content-Type") ?? "")
  }

  /// Cut between lines only, so that no half of a secret is left.
  private mutating func add(_ data: Data, _ type: String) {
    guard !data.isEmpty else { return }
    guard let text = String(validating: data, as: UTF8.self), !text.unicodeScalars.contains("\0") else {
      lines.append("(\(HumanNumber.bytes(data.count)), \(type.isEmpty ? "binary" : type))")
      return
    }
    let all = (BodyText.pretty(data) ?? text).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    lines += all.prefix(ExchangeText.most)
    if all.count > ExchangeText.most { lines.append("… (\(all.count - ExchangeText.most) lines more)") }
  }

  private static func pretty(_ data: Data) -> String? {
    guard let json = try? JSON(parsing: data), json.object != nil || json.array != nil else { return nil }
    return PrettyJSON(json).text
  }
}
