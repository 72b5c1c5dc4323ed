/// The vendor that the demo is logged in as.
package struct DemoVendor: Hashable, Sendable {
  /// The `identifier` header.
  package var identifier: String
  package var secret: String
  package var vendorID: Int
  package var name: String
}
