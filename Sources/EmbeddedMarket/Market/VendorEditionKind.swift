/// One of the two editions with vendors.
enum VendorEditionKind: Sendable {
  case training
  case open
}
