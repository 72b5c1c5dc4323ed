/// A vendor: the number and the name that the server assigns.
package struct Vendor: Hashable, Sendable {
  package var id: Int
  package var name: String?

  package init(id: Int, name: String? = nil) {
    self.id = id
    self.name = name
  }
}
