/// Who sells: the number and name the market gives a vendor.
package struct Vendor: Hashable, Sendable, Codable {
  package var id: Int
  package var name: String?

  package init(id: Int, name: String? = nil) {
    self.id = id
    self.name = name
  }
}
