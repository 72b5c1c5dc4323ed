import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOHTTP1

extension MarketHTTPError {
  static let longAddress = MarketHTTPError(414, "URI Too Long")
  static let largeHead = MarketHTTPError(431, "Request Header Fields Too Large")
}
