import Foundation
import Synchronization

/// A request that the server received, and its response, for the developer of the app that sent it.
///
/// Its address has `…` in place of secrets; its content is as it was sent.
package struct ReceivedRequest: Sendable {
  /// The number of the request since the start, from 1.
  package let number: Int
  /// The time of the response, by the clock of the machine.
  package let time: Date
  package let method: String
  /// The path and query.
  package let target: String
  /// The status of the response, or `nil` if none was sent.
  package let status: Int?
  package let duration: Duration
  /// The name of the vendor whose login the request has, or the address of the client.
  package let sender: String
  /// The words of a refusal that the client got, or the reason why it got no response.
  package let words: String?
  /// The details that the response lacks.
  package let detail: String?
  /// The content of a request that was refused, if the server read it.
  package let content: Content?
  /// The beginning of the `User-Agent`, or `nil` without one.
  package let agent: String?

  /// The header fields and the body of a request.
  package struct Content: Sendable {
    /// The fields by which requests of the API differ.
    package let headers: [(name: String, value: String)]
    package let type: String?
    package let body: Body
  }

  package enum Body: Sendable {
    case none
    case text(String)
    case form([Part])
    /// A body that is no text, or a form that can't be read.
    case bytes(Int)
  }

  /// A part of a form; `text` is `nil` for a file, and for a long text.
  package struct Part: Sendable {
    package let name: String
    package let fileName: String?
    package let type: String?
    package let text: String?
    package let size: Int
  }
}

/// The last requests of clients other than openmarket itself; pictures are left out.
final class ReceivedRequests: Sendable {
  private struct State {
    var requests: [ReceivedRequest] = []
    var count = 0
  }

  /// The number of requests that are stored.
  private static let maximum = 200
  private static let maximumAgent = 120
  /// The beginning of the `User-Agent` of this program.
  private static let ownAgent = "openmarket/"
  private let state = Mutex(State())

  /// Returns whether a request with a `User-Agent` is one that an app may have sent.
  static func isOfApp(agent: String?) -> Bool { agent?.hasPrefix(ownAgent) != true }

  /// Adds a request, whose entry has its vendor already.
  func add(_ entry: AccessLogEntry, at time: Date) {
    guard entry.isOfApp, !entry.isPicture else { return }
    let shown = entry.shownTarget
    func excerpt(of message: String?) -> String? {
      message.map { AccessLogEntry.excerpt(of: $0, without: shown) }
    }
    let content = entry.content?.parsed
    state.withLock { state in
      state.count += 1
      state.requests.append(
        ReceivedRequest(
          number: state.count, time: time, method: AccessLogEntry.plain(entry.method),
          target: AccessLogEntry.shortened(shown?.text ?? "-"), status: entry.status, duration: entry.duration,
          sender: entry.vendor?.name ?? AccessLogEntry.plain(entry.address),
          words: excerpt(of: entry.sentRefusal?.words ?? entry.reason),
          detail: excerpt(of: entry.sentRefusal?.detail), content: content,
          agent: entry.agent.map { String(AccessLogEntry.plain($0).prefix(ReceivedRequests.maximumAgent)) }))
      if state.requests.count > ReceivedRequests.maximum { state.requests.removeFirst() }
    }
  }

  /// Returns the stored requests whose number is above `number`, oldest first.
  func requests(after number: Int) -> [ReceivedRequest] {
    state.withLock { state in state.requests.filter { $0.number > number } }
  }
}

/// The content of a request as it was sent.
struct SentContent: Sendable {
  private let headers: [(name: String, value: String)]
  private let type: String?
  private let body: Data

  /// More bytes than a text of an honest request has.
  private static let maximumTextBytes = 64 * 1024

  init(_ call: RequestContext) {
    headers = call.identifier.map { [("identifier", $0)] } ?? []
    (type, body) = (call.contentType, call.body)
  }

  /// The number of bytes that are held.
  var byteCount: Int { body.count }

  /// The content with the parts of a form.
  var parsed: ReceivedRequest.Content {
    ReceivedRequest.Content(headers: headers, type: type, body: parsedBody)
  }

  private var parsedBody: ReceivedRequest.Body {
    guard !body.isEmpty else { return .none }
    if let value = type.map({ HeaderValue($0) }), value.value.lowercased() == "multipart/form-data" {
      guard let boundary = value["boundary"], !boundary.isEmpty,
        boundary.utf8.count <= MultipartBody.maximumBoundaryBytes,
        let form = try? MultipartBody(body, boundary: boundary, as: .tomcat)
      else { return .bytes(body.count) }
      return .form(
        form.parts.map { part in
          ReceivedRequest.Part(
            name: part.name, fileName: part.fileName, type: part.type,
            text: part.fileName == nil ? SentContent.text(part.content) : nil, size: part.content.count)
        })
    }
    return SentContent.text(body).map { .text($0) } ?? .bytes(body.count)
  }

  private static func text(_ bytes: Data) -> String? {
    bytes.count <= maximumTextBytes ? String(data: bytes, encoding: .utf8) : nil
  }
}
