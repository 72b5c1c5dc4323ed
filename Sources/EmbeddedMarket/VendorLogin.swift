/// The credentials of a vendor.
package struct VendorLogin: Hashable, Sendable {
  /// The value of the `identifier` header field.
  package var identifier: String
  package var secret: String
  package var vendorID: Int
  package var name: String
}
