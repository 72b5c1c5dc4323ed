import Foundation
import Networking
import Synchronization
import TestSupport
import Testing
import Text

@testable import Presentation
@testable import WeatherAPI

@Suite(.timeLimit(.minutes(20))) struct WeatherClientTests {
  private let seen = Date(timeIntervalSince1970: 1_633_056_534)

  private func client(_ clock: VirtualClock = VirtualClock()) -> WeatherClient {
    let start = seen
    return WeatherClient { start + Double(clock.now.offset.components.seconds) }
  }

  @Test func threeRequestsAreConcurrent() async throws {
    let clock = VirtualClock()
    let delays: [String: Duration] = ["reverse": .seconds(3), "weather": .seconds(5), "forecast": .seconds(4)]
    let transport = try FakeTransport.seoul(delays: delays, clock)
    let client = client(clock)
    async let report = client.report(at: Support.seoul, from: Support.service(), through: transport)
    await clock.sleepers(3)
    clock.advance(to: .seconds(5))
    #expect(try await report.errors.isEmpty)
    #expect(transport.log.map(\.at) == [.zero, .zero, .zero])
    #expect(clock.now.offset == .seconds(5))
  }

  @Test func deadlineEndsUnansweredRequests() async throws {
    let clock = VirtualClock()
    let transport = try FakeTransport.seoul(delays: ["forecast": .seconds(3600)], clock)
    let client = client(clock)
    async let report = client.report(at: Support.seoul, from: Support.service(), through: transport)
    await clock.sleepers(1)
    clock.advance(to: .seconds(10))
    let ended = try await report
    #expect(ended.forecast == .failed(.timedOut(seconds: 10)))
    #expect(ended.isFailure == false)
  }

  @Test func cancellationEndsAllThreeRequests() async throws {
    let clock = VirtualClock()
    let transport = try FakeTransport.seoul(
      delays: ["reverse": .seconds(9), "weather": .seconds(9), "forecast": .seconds(9)], clock)
    let client = client(clock)
    let run = Task { try await client.report(at: Support.seoul, from: Support.service(), through: transport) }
    await clock.sleepers(3)
    run.cancel()
    await #expect(throws: CancellationError.self) { try await run.value }
    #expect(clock.now.offset == .zero)
  }

  @Test func responsesAreCachedForTenMinutesAndReusedOnFailure() async throws {
    let clock = VirtualClock()
    let transport = try FakeTransport.seoul(clock)
    let client = client(clock)
    let service = Support.service()
    _ = try await client.report(at: Support.seoul, from: service, through: transport)
    clock.advance(to: .seconds(599))
    let near = Place(PlaceQuery.point(37.57983, 126.97712))
    _ = try await client.report(at: near, from: service, through: transport)
    #expect(transport.log.count == 3)
    _ = try await client.report(at: near, from: Support.service(.english), through: transport)
    #expect(transport.log.count == 6)
    clock.advance(to: .seconds(600))
    transport.set("weather", .init(reply: .failure(TransportError(.connectionRefused, extent: .none))))
    let old = try await client.report(at: near, from: service, through: transport)
    #expect(transport.log.count == 9)
    #expect(old.current.isStale && old.current.error == .unreachable(.connectionRefused) && old.forecast.error == nil)
  }

  @Test func keyIsReadOnce() async throws {
    let reads = Mutex(0)
    let client = client()
    let read: @Sendable () -> String? = {
      reads.withLock { $0 += 1 }
      return Support.key + "\n"
    }
    let keys = try await withThrowingTaskGroup(of: Secret.self) { group in
      for _ in 0..<100 { group.addTask { try await client.key(of: "shop", read: read) } }
      return try await group.reduce(into: Set<Secret>()) { $0.insert($1) }
    }
    #expect(keys.count == 1)
    #expect(reads.withLock { $0 } == 1)
    await client.forgetKey(of: "shop")
    _ = try await client.key(of: "shop", read: read)
    #expect(reads.withLock { $0 } == 2)
  }

  @Test(arguments: [(nil, WeatherError.keyMissing), (" \n", .keyMissing), ("a b", .keyMalformed), ("키", .keyMalformed)])
  func missingOrMalformedKeyIsNeitherUsedNorCached(_ key: String?, _ error: WeatherError) async throws {
    let client = client()
    await #expect(throws: error) { try await client.key(of: "shop") { key } }
    let found = try await client.key(of: "shop", read: { Support.key })
    #expect(found == Secret(Support.key))
  }

  @Test(arguments: 0..<8)
  func everyCombinationOfFailuresEqualsGolden(_ bits: Int) async throws {
    let names = ["reverse", "weather", "forecast"]
    let failing = Set(names.indices.filter { bits & (1 << $0) != 0 }.map { names[$0] })
    for language in MessageLanguage.allCases {
      let report = try await client().report(
        at: Support.seoul, from: Support.service(language), through: try FakeTransport.seoul(failing: failing))
      #expect(report.isFailure == failing.isSuperset(of: ["weather", "forecast"]))
      let text = Support.text(report, 80)
      let label = failing.isEmpty ? "none" : names.filter(failing.contains).joined(separator: "-")
      let data = JSONWriter.data { $0.write(report.data) }
      try Golden("failing-\(label)-\(language.rawValue)").check(text + "\n" + data + "\n")
      #expect(!text.contains(Support.key))
    }
  }
}
