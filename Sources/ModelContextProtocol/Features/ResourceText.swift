import Networking

/// The text of a resource.
package struct ResourceText: Hashable, Sendable {
  package var uri: String
  package var mediaType: String
  package var text: String

  package init(_ uri: String, mediaType: String, text: String) {
    self.uri = uri
    self.mediaType = mediaType
    self.text = text
  }

  var json: JSON {
    .object([("uri", .string(uri)), ("mimeType", .string(mediaType)), ("text", .string(text))])
  }
}
