/// A picture of a product that the market keeps: its own id, the original and the small one.
package struct Picture: Hashable, Sendable, Codable {
  package var id: Int?
  package var url: String
  package var thumbnail: String?

  package init(id: Int? = nil, url: String, thumbnail: String? = nil) {
    self.id = id
    self.url = url
    self.thumbnail = thumbnail
  }
}
