import Catalog

/// What is known right after one send: only a complete answer or the proof that nothing left decides.
package enum Attempt: Hashable, Sendable {
  /// A complete, well-formed 2xx; nil when it came without a product.
  case answered(Product?)
  /// A complete answer that says no: nothing was applied.
  case refused(Refusal)
  /// Not one byte of the request left; the evidence, masked.
  case unsent(String)
  /// Broken off before the last byte that matters was handed over: certainly not applied; the evidence, masked.
  case cut(String)
  /// 429: not processed; nil when the server did not say how long to wait.
  case tooMany(retryAfter: Duration?)
  /// Everything else: time-out, reset, cut, 5xx, 3xx, unreadable 2xx, cancelled; the evidence, masked.
  case unknown(String)
}
