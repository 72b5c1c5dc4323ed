import Foundation
import MarketAPI

/// The embedded market, as commands see it.
package struct EmbeddedMarketAccess: Sendable {
  /// Returns its base URL once it is listening.
  package var address: @Sendable (Edition) async throws -> URL
  /// Returns its vendors with their credentials; throws what starting it throws.
  package var vendors: @Sendable () async throws -> [EmbeddedVendor] = { [] }
  /// Its initial login.
  package var login: DemoLogin?
}
