/// The demo vendor of `serve`, whose products the benchmarks change.
enum DemoVendor {
  static let identifier = "4c1f8d60-4e9a-11ed-a200-1b7c9f2e5d31"
  static let secret = "open-the-market"

  /// The environment for running our program without a profile.
  static let environment = [
    "OPENMARKET_IDENTIFIER": identifier, "OPENMARKET_SECRET": secret, "OPENMARKET_VENDOR_ID": "15",
  ]
}
