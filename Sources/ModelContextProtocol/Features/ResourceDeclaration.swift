import Networking

/// A resource, or a template of resources, as clients list it.
package struct ResourceDeclaration: Hashable, Sendable {
  /// The URI, or the URI template (RFC 6570) with a variable: `openmarket://help/{command}`.
  package var uri: String
  package var name: String
  package var description: String
  package var mediaType: String

  package init(_ uri: String, name: String, description: String, mediaType: String) {
    self.uri = uri
    self.name = name
    self.description = description
    self.mediaType = mediaType
  }

  var isTemplate: Bool { uri.contains("{") }

  var json: JSON {
    .object([
      (isTemplate ? "uriTemplate" : "uri", .string(uri)), ("name", .string(name)),
      ("description", .string(description)), ("mimeType", .string(mediaType)),
    ])
  }
}
