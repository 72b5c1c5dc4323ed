import Foundation

extension Request: CustomStringConvertible {
  /// The request for people: line, headers and a look at the body, without its secrets.
  package var description: String {
    var lines = ["\(method.rawValue) \(target)"]
    lines += headers.map { "\($0.name): \($0.value)" }
    if let type = body.type { lines.append("Content-Type: \(type)") }
    lines += bodyLines
    return Masker(secrets).mask(lines.joined(separator: "\n"))
  }

  private var bodyLines: [String] {
    switch body {
    case .none: return []
    case .data(let data, _): return ["", Self.summary(of: data)]
    case .multipart(let form):
      return form.parts.map { part in
        let name = part.fileName.map { "\(part.name) (\($0), \(part.type ?? "no type"))" } ?? part.name
        return "  \(name): " + (part.fileName == nil ? Self.summary(of: part.content) : Self.size(of: part.content))
      }
    }
  }

  private static func summary(of data: Data) -> String { String(validating: data, as: UTF8.self) ?? size(of: data) }
  private static func size(of data: Data) -> String { "\(data.count) bytes" }
}
