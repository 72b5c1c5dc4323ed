/// Why a scan ended.
package enum ScanEnd: Sendable {
  /// The last page was read.
  case reached
  /// The server brought the same products again and again.
  case repeated
  /// Whoever took the products had enough.
  case enough
  /// More pages came than there could be; what came until then was handed over.
  case unending(PageLimit)
  /// Ctrl-C; what came until then was handed over.
  case interrupted
  /// A page could not be read; what came before it was handed over.
  case failed(any Error)
}
