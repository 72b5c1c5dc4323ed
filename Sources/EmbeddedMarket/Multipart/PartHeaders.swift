import Foundation

/// What the headers of one part say: its name, file name and type (RFC 7578 section 4.2 and 4.4).
struct PartHeaders: Hashable, Sendable {
  var name: String
  var fileName: String?
  var type: String?

  init(_ bytes: Data) throws(Multipart.Failure) {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Multipart.Failure(what: "Part headers are not UTF-8")
    }
    var disposition: HeaderValue?
    for line in text.components(separatedBy: "\r\n") {
      guard let colon = line.firstIndex(of: ":") else { throw Multipart.Failure(what: "A part header without a colon") }
      let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
      switch line[..<colon].lowercased() {
      case "content-disposition": disposition = HeaderValue(value)
      case "content-type": type = value
      default: break
      }
    }
    guard let disposition, disposition.value.lowercased() == "form-data", let name = disposition["name"] else {
      throw Multipart.Failure(what: "A part without Content-Disposition: form-data and a name")
    }
    self.name = name
    fileName = disposition["filename"]
  }
}
