/// One condition of the sky as the service numbers it; a moment can have several.
package struct Sky: Hashable, Sendable {
  package var id: Int?
  /// The service's words, in the language asked for.
  package var text: String?
  /// `10d`: one of nine pictures by day or night.
  package var icon: String?

  package init(id: Int?, text: String? = nil, icon: String? = nil) {
    self.id = id
    self.text = text
    self.icon = icon
  }
}
