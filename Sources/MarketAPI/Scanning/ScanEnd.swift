/// The reason why a scan ended.
package enum ScanEnd: Sendable {
  /// The last page was read.
  case endOfList
  /// The server returned the same products repeatedly.
  case repeatedPages
  /// The receiver of the products requested no more.
  case consumerStopped
  /// The page limit was exceeded.
  ///
  /// The products read before were delivered.
  case pageLimit(PageLimit)
  /// The scan was interrupted by Ctrl-C.
  ///
  /// The products read before were delivered.
  case interrupted
  /// A page couldn't be read.
  ///
  /// The products read before it were delivered.
  case failed(any Error)
}
