import Presentation

/// The list that a session browses.
package struct ListingState: Hashable, Sendable {
  package var query = ListQuery()
  /// The last listing shown, to whose rows `@3` refers.
  package var last: Listing?
  /// The matches of the last full scan, if they are shown page by page.
  package var scan: ScanResultCache?
}
