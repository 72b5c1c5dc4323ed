import Foundation

/// A multipart form (RFC 7578): text fields and files, separated by a boundary.
package struct Multipart: Hashable, Sendable {
  /// A field or file of the form.
  package struct Part: Hashable, Sendable {
    package var name: String
    /// The file name, or `nil` for a plain field.
    package var fileName: String?
    package var type: String?
    package var content: Data

    package init(name: String, fileName: String? = nil, type: String? = nil, content: Data) {
      self.name = name
      self.fileName = fileName
      self.type = type
      self.content = content
    }
  }

  package var boundary: String
  package var parts: [Part]

  package init(boundary: String, parts: [Part]) {
    self.boundary = boundary
    self.parts = parts
  }
}

extension Multipart {
  /// The media type with the boundary.
  package var contentType: String { "multipart/form-data; boundary=\(boundary)" }

  /// The form as it is sent: CRLF line ends, each part after its delimiter (RFC 2046 section 5.1.1).
  package var encoded: Data {
    var result = Data()
    for part in parts {
      result.append(Data("--\(boundary)\r\n\(part.headerLines)\r\n".utf8))
      result.append(part.content)
      result.append(Data("\r\n".utf8))
    }
    result.append(Data("--\(boundary)--\r\n".utf8))
    return result
  }

  /// Indicates whether the form can be sent unambiguously.
  ///
  /// The boundary is 1 to 70 characters that need no quoting (RFC 2046) and does not occur in a part, and no media type
  /// contains a line break.
  package var isValid: Bool {
    let allowed = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.".utf8)
    guard (1...70).contains(boundary.utf8.count), boundary.utf8.allSatisfy(allowed.contains) else { return false }
    let mark = Data(("--" + boundary).utf8)
    return parts.allSatisfy { $0.content.range(of: mark) == nil && $0.type?.contains(where: \.isNewline) != true }
  }
}

extension Multipart.Part {
  /// The header lines of the part, each ended with CRLF.
  package var headerLines: String {
    var line = "Content-Disposition: form-data; name=\"\(Self.escaped(name))\""
    if let fileName { line += "; filename=\"\(Self.escaped(fileName))\"" }
    return line + "\r\n" + (type.map { "Content-Type: \($0)\r\n" } ?? "")
  }

  /// Percent-encodes a quotation mark or line break, which would end the header, as browsers do (RFC 7578 section 2,
  /// HTML 4.10.21.8).
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "%22"
      case "\r": result += "%0D"
      case "\n": result += "%0A"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
