import Foundation
import MarketAPI
import Networking
import Synchronization

/// A transport to a real market that returns wrong responses to writes.
final class LyingTransport: Transport {
  enum Lie: Hashable, Sendable {
    /// A create with a response about another product.
    ///
    /// With `isStored` the product is created nevertheless.
    case create(Answer, isStored: Bool)
    /// The sent values are returned and not stored.
    case patch
    /// The patch is stored, but the response and the next two reads show the product as it was before.
    case lateInSight
    /// Another product is returned, and nothing is stored.
    case patchOfAnother
    /// The product is returned and not deleted.
    case delete
    /// Patches and deletes get this response, and nothing is stored.
    case response(status: Int, body: String, type: String = "text/html")
  }

  /// The response to a create.
  enum Answer: CaseIterable, Sendable {
    /// Only the id of an existing product of the vendor.
    case oldID
    /// An existing product of the vendor.
    case oldProduct
    /// An existing product of another vendor.
    case othersProduct
    /// The sent values with the id of an existing product of the vendor.
    case oldIDWithOurValues
    /// The sent values with an id that no product has.
    case echo
  }

  /// A product of the demo vendor, and one of another vendor.
  static let ours = 138
  static let others = 2
  private static let nobodys = 999_999

  private struct State {
    var lie: Lie?
    var written: [String] = []
    var made = 0
    /// The number of wrong responses to writes since the last lie was set.
    var lies = 0
    /// The old product, and the number of reads that still show it.
    var old: (reply: Response, reads: Int)?
  }

  private let inner: any Transport
  /// The path of the list of products.
  private let list: [String]
  private let state = Mutex(State())

  init(_ inner: any Transport, edition: Edition) {
    self.inner = inner
    list = [.camp1, .camp2].contains(edition) ? ["item"] : ["api", "products"]
  }

  /// Sets the wrong response for later requests.
  ///
  /// With `nil`, responses are right.
  func tell(_ lie: Lie?) { state.withLock { ($0.lie, $0.lies) = (lie, 0) } }

  /// The number of writes that got such a response.
  var lies: Int { state.withLock { $0.lies } }

  /// Returns the writes that reached the market since the last call, without the first requests of deletions.
  func written() -> [String] {
    state.withLock { state in
      defer { state.written = [] }
      return state.written
    }
  }

  /// The id of the last created product.
  var made: Int { state.withLock { $0.made } }

  func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Response {
    let isCreate = request.method == .post && request.path == list
    switch (state.withLock { $0.lie }, request.method) {
    case (.create(let answer, let isStored), _) where isCreate:
      if isStored { try await pass(request, to: base, with: options) } else { try await options.beforeFinalChunk?() }
      return try await created(request, answer, to: base)
    case (.patch, .patch):
      var changed = try await product(made, at: base)
      changed["stock"] = LyingTransport.stock(in: request)
      return try LyingTransport.reply(changed)
    case (.lateInSight, .patch):
      let old = try LyingTransport.reply(try await product(made, at: base))
      try await pass(request, to: base, with: options)
      state.withLock { $0.old = (old, 2) }
      return old
    case (.lateInSight, .get) where request.path == list + ["\(made)"]:
      let old = state.withLock { state -> Response? in
        guard let old = state.old, old.reads > 0 else { return nil }
        state.old = (old.reply, old.reads - 1)
        return old.reply
      }
      if let old { return old }
      return try await pass(request, to: base, with: options)
    case (.patchOfAnother, .patch): return try LyingTransport.reply(try await product(LyingTransport.ours, at: base))
    case (.response(let status, let body, let type), .patch), (.response(let status, let body, let type), .delete):
      state.withLock { $0.lies += 1 }
      return Response(status: status, headers: [HeaderField("Content-Type", type)], body: Data(body.utf8))
    case (.delete, .delete): return try LyingTransport.reply(try await product(made, at: base))
    default: return try await pass(request, to: base, with: options)
    }
  }

  @discardableResult
  private func pass(_ request: Request, to base: URL, with options: SendOptions) async throws -> Response {
    let reply = try await inner.send(request, to: base, with: options)
    let isCreate = request.method == .post && request.path == list
    guard [.patch, .delete].contains(request.method) || isCreate else { return reply }
    let id = isCreate ? (try? LyingTransport.object(reply.body)["id"]) as? Int : nil
    state.withLock { state in
      state.written.append(request.method.rawValue)
      state.made = id ?? state.made
    }
    return reply
  }

  private func created(_ request: Request, _ answer: Answer, to base: URL) async throws -> Response {
    switch answer {
    case .oldID: return try LyingTransport.reply(["id": LyingTransport.ours])
    case .oldProduct: return try LyingTransport.reply(try await product(LyingTransport.ours, at: base))
    case .othersProduct: return try LyingTransport.reply(try await product(LyingTransport.others, at: base))
    case .oldIDWithOurValues, .echo:
      var product = try await product(LyingTransport.ours, at: base)
      let sent = LyingTransport.values(of: request)
      for key in product.keys { product[key] = sent[key] ?? product[key] }
      product["id"] = answer == .echo ? LyingTransport.nobodys : LyingTransport.ours
      return try LyingTransport.reply(product)
    }
  }

  /// Returns a product in the format of its edition.
  private func product(_ id: Int, at base: URL) async throws -> [String: Any] {
    let reply = try await inner.send(Request(.get, list + ["\(id)"]), to: base, with: SendOptions())
    return try LyingTransport.object(reply.body)
  }

  /// Returns the values of a create in any edition: one JSON part, or one part for each field.
  private static func values(of request: Request) -> [String: Any] {
    guard case .multipart(let form) = request.body else { return [:] }
    var values: [String: Any] = [:]
    for part in form.parts {
      if let all = try? object(part.content) { values.merge(all) { $1 } }
      let text = String(decoding: part.content, as: UTF8.self)
      if part.fileName == nil { values[part.name] = Int(text) ?? text }
    }
    values["bargain_price"] = values["price"]
    return values
  }

  private static func stock(in request: Request) -> Int? {
    switch request.body {
    case .multipart: values(of: request)["stock"] as? Int
    case .data(let data, _): (try? object(data))?["stock"] as? Int
    case .none: nil
    }
  }

  private static func object(_ data: Data) throws -> [String: Any] {
    guard let object = try JSONSerialization.jsonObject(with: data) as? [String: Any] else {
      throw CocoaError(.propertyListReadCorrupt)
    }
    return object
  }

  private static func reply(_ object: [String: Any]) throws -> Response {
    Response(
      status: 200, headers: [HeaderField("Content-Type", "application/json")],
      body: try JSONSerialization.data(withJSONObject: object))
  }
}
