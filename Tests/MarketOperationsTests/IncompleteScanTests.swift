import Foundation
import Networking
import Shell
import ShellTesting
import Synchronization
import TestSupport
import Testing

/// A scan that is interrupted or loses its server keeps the received products; a batch or a file isn't made from them.
@Suite(.timeLimit(Trial.limit)) struct IncompleteScanTests {
  /// A transport that sends the first page, and holds later ones until they are cancelled, or fails them.
  private final class SecondPage: Transport {
    private let door: any Transport
    private let isRefused: Bool
    private let reached: AsyncStream<Void>.Continuation

    init(_ door: any Transport, isRefused: Bool, _ reached: AsyncStream<Void>.Continuation) {
      self.door = door
      self.isRefused = isRefused
      self.reached = reached
    }

    func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Response {
      guard request.query.contains(where: { $0.name == "page_no" && $0.value != "1" }) else {
        return try await door.send(request, to: base, with: options)
      }
      if isRefused { throw TransportError(.connectionRefused, extent: .none) }
      reached.yield()
      do { try await Task.sleep(for: .seconds(600)) } catch {
        throw TransportError(.cancelled, extent: .complete)
      }
      return Response(status: 500)
    }
  }

  private func cut(_ line: String, isRefused: Bool = false, withoutFile file: String? = nil) async throws -> String {
    let (stream, reached) = AsyncStream<Void>.makeStream()
    let said = Mutex("")
    try await Sandbox.with(between: { door, _ in SecondPage(door, isRefused: isRefused, reached) }) { sandbox in
      let work = Task { await sandbox.run(line) }
      if !isRefused {
        for await _ in stream { break }
        work.cancel()
      }
      let text = await work.value
      if let file { #expect(!FileManager.default.fileExists(atPath: sandbox.folder + "/" + file)) }
      said.withLock { $0 = text }
    }
    return said.withLock { $0 }
  }

  @Test func interruptedListShowsReceivedRows() async throws {
    let text = try await cut("ls where id>138 columns id")
    #expect(
      text == """
        ! note: Interrupted. Showing what was read so far.
        ! warning: Read 100 products on 1 page, incomplete: some products may be missing.
         id
        141
        140
        139
        = 130

        """)
  }

  @Test func listOfALostServerShowsReceivedRows() async throws {
    let text = try await cut("ls where id=141 columns id as jsonl", isRefused: true)
    #expect(
      text.contains("{\"id\":141}\n") && text.contains("The rest could not be read") && text.hasSuffix("= 3\n"),
      "\(text)")
  }

  @Test(arguments: [false, true]) func incompleteListIsNotWrittenToAFile(_ isRefused: Bool) async throws {
    for line in ["ls all to ~/part.csv", "export to ~/part.csv"] {
      let text = try await cut(line, isRefused: isRefused, withoutFile: "part.csv")
      #expect(text.hasSuffix(isRefused ? "= 3\n" : "= 130\n"), "\(text)")
    }
  }

  @Test(arguments: ["patch where stock=0 price=5 yes", "rm mine yes"])
  func incompleteListMakesNoBatch(_ line: String) async throws {
    let text = try await cut(line, isRefused: true)
    #expect(text.hasSuffix("= 3\n") && !text.contains("! update ") && !text.contains("! delete "), "\(text)")
  }
}
