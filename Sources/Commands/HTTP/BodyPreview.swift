import Foundation
import Networking
import Presentation

/// A body as lines for display: formatted JSON, plain text, or the size of anything else; a form part by part.
struct BodyPreview {
  private(set) var lines: [String] = []

  init(_ body: Body) {
    switch body {
    case .none: break
    case .data(let data, let type): add(data, type)
    case .multipart(let form):
      for part in form.parts {
        lines.append("--" + form.boundary)
        lines += part.headerLines.split(separator: "\r\n").map(String.init) + [""]
        add(part.content, part.type ?? "text/plain")
      }
      lines.append("--" + form.boundary + "--")
    }
  }

  init(_ reply: Response) {
    add(reply.body, reply.header("Content-Type") ?? "")
  }

  /// Adds data.
  ///
  /// It is truncated only between lines, so that no half of a secret remains.
  private mutating func add(_ data: Data, _ type: String) {
    guard !data.isEmpty else { return }
    guard let text = String(validating: data, as: UTF8.self), !text.unicodeScalars.contains("\0") else {
      lines.append("(\(NumberFormatting.bytes(data.count)), \(type.isEmpty ? "binary" : type))")
      return
    }
    let all = (BodyPreview.pretty(data) ?? text).split(separator: "\n", omittingEmptySubsequences: false).map(
      String.init)
    lines += all.prefix(TraceRenderer.maxBodyLines)
    if all.count > TraceRenderer.maxBodyLines {
      lines.append("… (\(all.count - TraceRenderer.maxBodyLines) more lines)")
    }
  }

  private static func pretty(_ data: Data) -> String? {
    guard let json = try? JSON(parsing: data), json.object != nil || json.array != nil else { return nil }
    return PrettyJSON(json).text
  }
}
