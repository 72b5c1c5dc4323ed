import Foundation

extension Profile {
  /// Whether an address is of this profile's server: scheme, host and port; nil is the embedded market.
  package func isAt(_ address: URL?) -> Bool { server == address.map(Profile.server) ?? [] }

  /// Empty for the embedded market.
  package var server: [String] {
    guard let url else { return [] }
    // One that was written into the file by hand and is no address is another than any.
    return ServerAddress(url).map { Profile.server(of: $0.url) } ?? [url]
  }

  private static func server(of url: URL) -> [String] {
    let scheme = url.scheme?.lowercased() ?? ""
    return [scheme, url.host?.lowercased() ?? "", String(url.port ?? (scheme == "https" ? 443 : 80))]
  }
}
