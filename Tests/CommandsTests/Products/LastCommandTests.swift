import EmbeddedMarket
import Foundation
import MarketAPI
import Networking
import Shell
import ShellRuntime
import ShellTesting
import Synchronization
import TestSupport
import Testing

/// `last` reads many pages of a market without a count.
///
/// If it doesn't complete, the position doesn't change.
@Suite(.timeLimit(Trial.limit)) struct LastCommandTests {
  /// A transport that fails pages from the fourth on, or holds them until they are cancelled.
  private struct FourthPage: Transport {
    enum Way { case refused, waiting }
    let inner: any Transport
    let way: Way
    let reached: AsyncStream<Void>.Continuation

    func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Response {
      guard request.path.first == "items", let page = request.path.last.flatMap({ Int($0) }), page >= 4 else {
        return try await inner.send(request, to: base, with: options)
      }
      if case .refused = way { throw TransportError(.connectionRefused, extent: .none) }
      reached.yield()
      do { try await Task.sleep(for: .seconds(600)) } catch {
        throw TransportError(.cancelled, extent: .complete)
      }
      return Response(status: 500)
    }
  }

  @Test(arguments: [Edition.camp1, .camp2], [false, true])
  func failedLastKeepsThePosition(_ edition: Edition, _ isInterrupted: Bool) async throws {
    var options = SessionOptions()
    options.edition = edition
    let served = try #require(ServedEdition(rawValue: edition.rawValue))
    let (stream, reached) = AsyncStream<Void>.makeStream()
    try await Sandbox.with(
      options: options, edition: served,
      between: { door, _ in FourthPage(inner: door, way: isInterrupted ? .waiting : .refused, reached: reached) }
    ) { sandbox in
      _ = await sandbox.run("ls page 2")
      let before = await sandbox.data("echo @1.name $page")
      let work = Task { await sandbox.run("last") }
      if isInterrupted {
        for await _ in stream { break }
        work.cancel()
      }
      let said = await work.value
      #expect(said.hasSuffix(isInterrupted ? "= 130\n" : "= 3\n"), "\(said)")
      #expect(await sandbox.data("echo @1.name $page").data == before.data)
      #expect(before.data.hasSuffix(" 2\n"))
      _ = await sandbox.run("next")
      #expect(await sandbox.data("echo $page").data == "3\n")
    }
  }
}
