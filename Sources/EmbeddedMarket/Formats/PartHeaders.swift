import Foundation

/// The header fields of a part: name, file name and type (RFC 7578 sections 4.2 and 4.4).
struct PartHeaders: Hashable, Sendable {
  var name: String
  var fileName: String?
  var type: String?

  init(_ bytes: Data, as reader: MultipartBody.Reader) throws(MultipartBody.Failure) {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw MultipartBody.Failure(what: "Part headers are not UTF-8")
    }
    var disposition: HeaderValue?
    for line in text.components(separatedBy: "\r\n") {
      guard let colon = line.firstIndex(of: ":") else {
        throw MultipartBody.Failure(what: "A part header without a colon")
      }
      let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
      switch line[..<colon].lowercased() {
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
      throw MultipartBody.Failure(what: "A part without Content-Disposition: form-data and a name")
    }
    self.name = name
    fileName = disposition["filename"]
  }
}
