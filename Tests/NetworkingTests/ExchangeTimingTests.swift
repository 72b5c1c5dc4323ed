import Foundation
import Networking
import ServerTesting
import Synchronization
import TestSupport
import Testing

/// The time of an exchange begins with the exchange: what the program sets up for its first one is no part of it.
@Suite(.startsPrograms, .timeLimit(Trial.limit)) struct ExchangeTimingTests {
  /// Each reading is a second after the one before.
  private final class SteppingClock: Sendable {
    private let start = ContinuousClock.now
    private let count = Atomic(0)

    var readings: Int { count.load(ordering: .relaxed) }

    func next() -> ContinuousClock.Instant {
      start + .seconds(count.add(1, ordering: .relaxed).oldValue)
    }
  }

  /// A client sets up the library when it is the first: where none can be made, the clock was not read yet.
  @Test(arguments: [false, true]) func libraryIsSetUpBeforeTheClockIsRead(_ isMeasured: Bool) async throws {
    let clock = SteppingClock()
    let transport = HTTPTransport(version: "test", now: { clock.next() })
    await transport.shutdown()
    var request = Request(.get, ["p"])
    request.recordsPhases = isMeasured
    let url = try #require(URL(string: "http://127.0.0.1:1"))
    await #expect(throws: TransportError.self) {
      _ = try await transport.send(request, to: url, with: SendOptions())
    }
    #expect(clock.readings == 0)
  }

  /// Every reading of the clock ends one part and begins the next, from the first to the last.
  @Test(arguments: [false, true]) func phasesAddUpToTheTotal(_ isMeasured: Bool) async throws {
    let clock = SteppingClock()
    let transport = HTTPTransport(version: "test", now: { clock.next() })
    defer { transport.shutdownImmediately() }
    let server = try await TinyServer(always: .say("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"))
    var request = Request(.get, ["p"])
    request.recordsPhases = isMeasured
    let answer = try? await transport.send(request, to: server.url, with: SendOptions(deadline: .seconds(60)))
    await server.stop()
    await transport.shutdown()
    let phases = try #require(answer?.timing?.phases)
    #expect(phases.total == .seconds(clock.readings - 1))
    #expect(phases.send == .seconds(1) && phases.wait == .seconds(1) && phases.receive == .seconds(1))
    // The connection's own client is made between the look-up and the connecting.
    #expect(phases.connect == (isMeasured ? .seconds(1) : nil))
    #expect(phases.blocked == .seconds(isMeasured ? 2 : 1))
  }
}
