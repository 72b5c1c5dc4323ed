/// What was written, what is being written and what became of it, on disk before a byte leaves.
package final class Journal: Sendable {
  private init() {}
}
