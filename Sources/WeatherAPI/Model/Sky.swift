/// A weather condition of the service; there may be several at a time.
package struct Sky: Hashable, Sendable {
  package var id: Int?
  /// The service's description in the requested language.
  package var text: String?
  /// The icon's code, such as `10d`: one of nine pictures by day or night.
  package var icon: String?

  package init(id: Int?, text: String? = nil, icon: String? = nil) {
    self.id = id
    self.text = text
    self.icon = icon
  }
}
