/// The error of a scan that exceeded its page limit.
package struct PageLimitExceededError: Error {
  package let limit: PageLimit

  package init(limit: PageLimit) {
    self.limit = limit
  }
}
