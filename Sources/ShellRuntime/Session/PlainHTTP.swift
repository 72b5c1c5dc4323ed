/// The decision about sending secrets over plain `http` to another machine.
package enum PlainHTTP: String, Hashable, Sendable, CaseIterable {
  case ask
  case allow
}
