import Foundation
import Networking
import Pacing
import Synchronization
import Testing
import Text

@testable import Presentation
@testable import WeatherAPI

@Suite(.timeLimit(.minutes(20))) struct TaskTests {
  private let seen = Date(timeIntervalSince1970: 1_633_056_534)

  private func weather(_ transport: FakeTransport, _ clock: VirtualClock = VirtualClock()) -> WeatherService {
    let start = seen
    return WeatherService(through: transport, clock: clock) { start + Double(clock.now.offset.components.seconds) }
  }

  @Test func threeTakeTheLongestNotTheSum() async throws {
    let clock = VirtualClock()
    let delays: [String: Duration] = ["reverse": .seconds(3), "weather": .seconds(5), "forecast": .seconds(4)]
    let transport = try FakeTransport.seoul(delays: delays, clock)
    let weather = weather(transport, clock)
    async let report = weather.report(at: Support.seoul, from: Support.service())
    // Three requests and their three deadlines.
    await clock.sleepers(6)
    clock.advance(to: .seconds(5))
    #expect(try await report.errors.isEmpty)
    #expect(transport.log.map(\.at) == [.zero, .zero, .zero])
    #expect(clock.now.offset == .seconds(5))
  }

  @Test func theDeadlineEndsWhatNeverAnswers() async throws {
    let clock = VirtualClock()
    let transport = try FakeTransport.seoul(delays: ["forecast": .seconds(3600)], clock)
    let weather = weather(transport, clock)
    async let report = weather.report(at: Support.seoul, from: Support.service())
    await clock.sleepers(2)
    clock.advance(to: .seconds(10))
    let ended = try await report
    #expect(ended.forecast == .failed(.timedOut(seconds: 10)))
    #expect(ended.isFailure == false)
  }

  @Test func aPlaceThatWasLeftIsDropped() async throws {
    let clock = VirtualClock()
    let transport = try FakeTransport.seoul(delays: ["weather": .seconds(2)], clock)
    let weather = weather(transport, clock)
    let first = Task { try await weather.report(at: Support.seoul, from: Support.service()) }
    await clock.sleepers(2)
    transport.set(
      "weather",
      .init(reply: .success(Response(status: 200, body: try Support.capture("current-zocca-official-doc-sample")))))
    let place = Place(PlaceQuery.point(44.34, 10.99))
    let second = try await weather.report(at: place, from: Support.service())
    clock.advance(to: .seconds(2))
    await #expect(throws: CancellationError.self) { try await first.value }
    #expect(second.current.value?.name == "Zocca")
  }

  @Test func cancellingEndsAllThreeAtOnce() async throws {
    let clock = VirtualClock()
    let transport = try FakeTransport.seoul(
      delays: ["reverse": .seconds(9), "weather": .seconds(9), "forecast": .seconds(9)], clock)
    let weather = weather(transport, clock)
    let run = Task { try await weather.report(at: Support.seoul, from: Support.service()) }
    await clock.sleepers(6)
    run.cancel()
    await #expect(throws: CancellationError.self) { try await run.value }
    #expect(clock.now.offset == .zero)
  }

  @Test func answersAreKeptTenMinutesAndShownOldWhenNewOnesFail() async throws {
    let clock = VirtualClock()
    let transport = try FakeTransport.seoul(clock)
    let weather = weather(transport, clock)
    let service = Support.service()
    _ = try await weather.report(at: Support.seoul, from: service)
    clock.advance(to: .seconds(599))
    let near = Place(PlaceQuery.point(37.57983, 126.97712))
    _ = try await weather.report(at: near, from: service)
    #expect(transport.log.count == 3)
    _ = try await weather.report(at: near, from: Support.service(.english))
    #expect(transport.log.count == 6)
    clock.advance(to: .seconds(600))
    transport.set("weather", .init(reply: .failure(TransportError(.connectionRefused, extent: .none))))
    let old = try await weather.report(at: near, from: service)
    #expect(transport.log.count == 9)
    #expect(old.current.isStale && old.current.error == .unreachable(.connectionRefused) && old.forecast.error == nil)
  }

  @Test func theKeyIsReadOnceHoweverManyAsk() async throws {
    let reads = Mutex(0)
    let key = APIKeyProvider {
      reads.withLock { $0 += 1 }
      return Support.key + "\n"
    }
    let secrets = try await withThrowingTaskGroup(of: Secret.self) { group in
      for _ in 0..<100 { group.addTask { try key.secret() } }
      return try await group.reduce(into: Set<Secret>()) { $0.insert($1) }
    }
    #expect(secrets.count == 1)
    #expect(reads.withLock { $0 } == 1)
  }

  @Test(arguments: [(nil, WeatherError.keyMissing), (" \n", .keyMissing), ("a b", .keyMalformed), ("키", .keyMalformed)])
  func aMissingKeyIsSaidBeforeAnyRequest(_ key: String?, _ error: WeatherError) async throws {
    let transport = try FakeTransport.seoul()
    let service = OpenWeather(access: .key(APIKeyProvider { key }))
    let weather = weather(transport)
    await #expect(throws: error) { try await weather.report(at: Support.seoul, from: service) }
    await #expect(throws: error) { try await weather.places(named: "서울", from: service) }
    #expect(transport.log.isEmpty)
  }

  @Test(arguments: 0..<8)
  func everyCombinationOfFailures(_ bits: Int) async throws {
    let names = ["reverse", "weather", "forecast"]
    let failing = Set(names.indices.filter { bits & (1 << $0) != 0 }.map { names[$0] })
    for language in MessageLanguage.allCases {
      let report = try await weather(try FakeTransport.seoul(failing: failing))
        .report(at: Support.seoul, from: Support.service(language))
      #expect(report.isFailure == failing.isSuperset(of: ["weather", "forecast"]))
      let text = Support.text(report, 80)
      let label = failing.isEmpty ? "none" : names.filter(failing.contains).joined(separator: "-")
      try Golden("failing-\(label)-\(language.rawValue)").check(text + "\n" + WeatherEncoder.json(report) + "\n")
      #expect(!text.contains(Support.key))
    }
  }
}
