import Foundation
import Synchronization
import TestSupport
import Testing

@testable import EmbeddedMarket

/// The order of long work, and its end when the client has left.
@Suite(.timeLimit(Trial.limit)) struct BackgroundThreadsTests {
  private static let first = WorkClient(address: "192.0.2.1")
  private static let second = WorkClient(address: "192.0.2.1", vendor: 103)
  private static let third = WorkClient(address: "192.0.2.2")

  /// The names of the work that was done.
  private final class Record: Sendable {
    private let names = Mutex<[String]>([])
    var all: [String] { names.withLock { $0 } }
    func add(_ name: String) { names.withLock { $0.append(name) } }
  }

  /// Runs work on one thread that is held up until all of it is given; returns its order.
  private func order(_ given: [(WorkClient, String)], left: Set<String> = []) async throws -> [String] {
    let threads = BackgroundThreads(count: 1)
    let gate = DispatchSemaphore(value: 0)
    let done = Record()
    threads.submit { gate.wait() }
    // The thread has a low priority: on a busy machine it may begin after the work below is given.
    try await Waiting.until("the thread is held up") { threads.waitingCount == 0 }
    return try await withThrowingTaskGroup { group in
      for (index, work) in given.enumerated() {
        group.addTask {
          let isWanted = { @Sendable in
            if left.contains(work.1) { done.add(work.1 + " left") }
            return !left.contains(work.1)
          }
          do {
            try await threads.run(for: work.0, while: isWanted) { done.add(work.1) }
          } catch is ClientLeft {
            #expect(left.contains(work.1))
          }
        }
        // In the order of the list; the work that holds the thread up is not counted.
        try await Waiting.until("work \(index)") { threads.waitingCount >= index + 1 }
      }
      gate.signal()
      try await group.waitForAll()
      return done.all
    }
  }

  /// A client that has given much work gets as many turns as one that has given little.
  @Test func clientsTakeTurns() async throws {
    let given =
      (1...4).map { (Self.first, "first \($0)") } + [
        (Self.second, "second 1"), (Self.third, "third 1"), (Self.second, "second 2"),
      ]
    #expect(
      try await order(given) == ["first 1", "second 1", "third 1", "first 2", "second 2", "first 3", "first 4"])
  }

  /// Work is not begun for a client that has left.
  @Test func workEndsWithItsClient() async throws {
    let given = (1...3).map { (Self.first, "first \($0)") } + [(Self.third, "third 1")]
    #expect(
      try await order(given, left: ["first 1", "first 3"]) == ["first 1 left", "third 1", "first 2", "first 3 left"])
  }

  /// An upload that waits for its turn is given up when its connection is reset, and the log says so.
  @Test func uploadOfAClosedConnectionIsGivenUp() async throws {
    let lines = Mutex<[String]>([])
    let gates = (0..<2).map { _ in DispatchSemaphore(value: 0) }
    try await Market.with(log: { line in lines.withLock { $0.append(line) } }) { market in
      let held = Mutex(0)
      for gate in gates {
        BackgroundThreads.uploads.submit(for: WorkClient(address: "a test")) {
          held.withLock { $0 += 1 }
          gate.wait()
        }
      }
      try await Waiting.until("both threads are held up") { held.withLock { $0 } == gates.count }
      do {
        let upload = try Conversation(market.url)
        let body = Parts.close([
          Parts.text("params", Parts.params), Parts.file("images", "a.jpg", Data(count: 100_000)),
        ])
        upload.send(
          "POST /api/products HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary=XYZ\r\n"
            + "identifier: \(Market.demo.identifier)\r\nContent-Length: \(body.count)\r\n\r\n")
        upload.send(body)
        try await Waiting.until("the upload waits") { BackgroundThreads.uploads.waitingCount > 0 }
        upload.reset()
      }
      // The server has seen the end before the upload has its turn.
      try await Waiting.until("the connection is closed") {
        await market.server.connectionCount == 0
      }
      for gate in gates { gate.signal() }
      try await Waiting.until("the record") { lines.withLock { $0.contains { $0.contains("POST") } } }
      #expect(try await market.server.auditLog().isEmpty)
    }
    let line = try #require(lines.withLock { $0.first { $0.contains("POST") } })
    #expect(line.contains("POST /api/products - 0 B"), "\(line)")
    #expect(line.hasSuffix("reason=\"The client closed the connection before the response\""), "\(line)")
  }
}
