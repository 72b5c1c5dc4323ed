/// A picture of a product that is stored on the server: its id, and the URLs of the original and the small version.
package struct Picture: Hashable, Sendable {
  package var id: Int?
  package var url: String
  package var thumbnailURL: String?

  package init(id: Int? = nil, url: String, thumbnailURL: String? = nil) {
    self.id = id
    self.url = url
    self.thumbnailURL = thumbnailURL
  }
}
