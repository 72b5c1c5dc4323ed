import Foundation

/// The header fields of a part: name, file name and type (RFC 7578 sections 4.2 and 4.4).
struct PartHeaders: Hashable, Sendable {
  var name: String
  var fileName: String?
  var type: String?

  /// Reads the header fields of a part, or returns `nil` for a part that is passed over.
  ///
  /// Tomcat joins folded lines, and passes over lines without a colon and parts without a name.
  init?(_ bytes: Data, as reader: MultipartBody.Reader) throws(MultipartBody.Failure) {
    var disposition: HeaderValue?
    for line in try PartHeaders.lines(bytes, as: reader) {
      guard let colon = line.firstIndex(of: ":") else {
        if reader == .tomcat { continue }
        throw MultipartBody.Failure(what: "A part header without a colon")
      }
      let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
      switch line[..<colon].trimmingCharacters(in: .whitespaces).lowercased() {
      case "content-disposition":
        disposition =
          switch reader {
          case .tomcat: HeaderValue(value)
          case .vapor: HeaderValue(withLooseQuotes: value)
          }
      case "content-type": type = value
      default: break
      }
    }
    guard let disposition, disposition.value.lowercased() == "form-data", let name = disposition["name"] else {
      if reader == .tomcat { return nil }
      throw MultipartBody.Failure(what: "A part without Content-Disposition: form-data and a name")
    }
    if name.isEmpty, reader == .tomcat { return nil }
    self.name = name
    fileName = disposition["filename"]
  }

  private static func lines(_ bytes: Data, as reader: MultipartBody.Reader) throws(MultipartBody.Failure) -> [String] {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw MultipartBody.Failure(what: "Part headers are not UTF-8")
    }
    return text.components(separatedBy: "\r\n").reduce(into: []) { lines, line in
      let isFolded = reader == .tomcat && (line.hasPrefix(" ") || line.hasPrefix("\t"))
      if isFolded, let last = lines.popLast() {
        lines.append(last + " " + line.trimmed)
      } else {
        lines.append(line)
      }
    }
  }
}
