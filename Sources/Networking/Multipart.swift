import Foundation

/// A form of parts (RFC 7578): text fields and files under one boundary.
package struct Multipart: Hashable, Sendable {
  package struct Part: Hashable, Sendable {
    package var name: String
    /// Nil for a plain field.
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
