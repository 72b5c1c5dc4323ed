import Foundation
import Networking
import Platform
import Presentation
import Shell
import ShellRuntime
import ShellTesting
import Synchronization
import TestSupport
import Testing
import Text
import WeatherAPI

/// Weather at the prompt if the service fails partly, without a key, and with a choice of places.
@Suite(.timeLimit(Trial.limit)) struct WeatherCommandTests {
  /// A transport with the embedded service's responses, HTML for paths that fail, and a log of requests.
  private final class Service: Transport {
    private let failing: [String: Int]
    private let asked = Mutex<[String]>([])
    private let market = Mutex<(door: any Transport, url: URL)?>(nil)

    init(failing: [String: Int] = [:]) { self.failing = failing }

    var requests: [String] { asked.withLock { $0.sorted() } }

    func connect(_ door: any Transport, _ url: URL) -> any Transport {
      market.withLock { $0 = (door, url) }
      return self
    }

    func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Response {
      let name = request.path.last ?? ""
      asked.withLock { $0.append(name) }
      guard let status = failing[name] else { return try await pass(request, options) }
      guard status > 0 else { throw TransportError(.connectionRefused, extent: .none) }
      return Response(status: status, body: Data("<html><h1>Bad</h1></html>".utf8))
    }

    /// Sends a request without the key, which a test must not send.
    private func pass(_ request: Request, _ options: SendOptions) async throws -> Response {
      guard let market = market.withLock({ $0 }) else { throw TransportError(.connectionRefused, extent: .none) }
      var plain = request
      plain.query.removeAll { $0.name == "appid" }
      plain.secrets = []
      return try await market.door.send(plain, to: market.url, with: options)
    }
  }

  private func talk(
    _ lines: [String], failing: [String: Int] = [:], environment: [String: String] = [:], width: Int? = nil
  ) async throws -> (text: [String], requests: [String]) {
    let service = Service(failing: failing)
    let texts = Mutex<[String]>([])
    try await Sandbox.with(width: width, environment: environment, between: { service.connect($0, $1) }) { sandbox in
      for line in lines {
        let text = await sandbox.run(line)
        texts.withLock { $0.append(text) }
      }
    }
    return (texts.withLock { $0 }, service.requests)
  }

  private static let key = ["OPENWEATHER_API_KEY": "canary0123456789", "OPENWEATHER_URL": "http://127.0.0.1:1"]

  @Test func missingKeyIsReportedBeforeAnyRequest() async throws {
    let (texts, requests) = try await talk(
      ["weather 37.57 126.98", "place 서울"], environment: ["OPENWEATHER_URL": "http://127.0.0.1:1"])
    for text in texts { #expect(text.contains("No API key is set.") && text.hasSuffix("= 4\n"), "\(text)") }
    #expect(requests.isEmpty)
  }

  /// `curl` prints the requests with the name of the variable, sends none, and needs no key.
  @Test func curlNeedsNoKey() async throws {
    let (texts, requests) = try await talk(
      ["curl weather 37.57 126.98", "curl weather 서울"], environment: ["OPENWEATHER_URL": "http://127.0.0.1:1"])
    #expect(texts[0].contains("/data/2.5/forecast?lat=37.57&lon=126.98"), "\(texts[0])")
    #expect(texts[0].contains("$OPENWEATHER_API_KEY") && !texts[0].contains("__"), "\(texts[0])")
    #expect(texts[1].contains("No API key is set.") && texts[1].contains("curl weather 37.57"), "\(texts[1])")
    #expect(requests.isEmpty)
  }

  /// The prefixes save no place and remove none.
  @Test func prefixesSaveNoPlace() async throws {
    let (texts, _) = try await talk([
      "place home = 37.57 126.98", "curl place 35.1 129.0", "dry place 35.1 129.0", "dry place rm home",
      "curl place rm home", "place as csv",
    ])
    #expect(texts[2].contains("Dry run: nothing was saved.") && texts[3].contains("Dry run: nothing was saved."))
    #expect(texts[5].contains("home,true,37.57,126.98") && !texts[5].contains("35.1"), "\(texts[5])")
  }

  /// Weather in memory does not hide the requests from `curl`.
  @Test func curlPrintsRequestsOfWeatherInMemory() async throws {
    let (texts, _) = try await talk(
      ["weather 37.57 126.98", "curl weather 37.57 126.98"], environment: WeatherCommandTests.key)
    #expect(texts[1].contains("/data/2.5/forecast?lat=37.57&lon=126.98"), "\(texts[1])")
  }

  @Test(arguments: [
    (["reverse": 502], "= 1", "! address: the weather service has a problem (502)"),
    (["weather": 401], "= 1", "! weather now: the weather service rejected the API key (401)"),
    (["forecast": 429], "= 1", "! five-day forecast: too many requests (429)"),
    (["weather": 0, "forecast": 502], "= 1", "weather now: connection refused"),
    (["reverse": 0, "weather": 0, "forecast": 0], "= 3", "weather now: connection refused"),
  ])
  func failedPartIsNamed(_ failing: [String: Int], _ code: String, _ words: String) async throws {
    let (texts, requests) = try await talk(
      ["weather 37.57 126.98"], failing: failing, environment: WeatherCommandTests.key)
    #expect(texts[0].contains(words) && texts[0].hasSuffix(code + "\n"), "\(texts[0])")
    #expect(!texts[0].contains("canary"))
    #expect(requests == ["forecast", "reverse", "weather"])
  }

  @Test(arguments: [
    (
      401, "the weather service rejected the API key (401)",
      "!   hint: A new key can take up to two hours to become active.\n"
    ),
    (404, "not found by the weather service (404)", ""),
    (429, "too many requests (429)", "!   hint: Try again in a minute.\n"),
    (500, "the weather service has a problem (500)", "!   hint: Try again later.\n"),
    (503, "the weather service has a problem (503)", "!   hint: Try again later.\n"),
  ])
  func everyFailedPartHasItsReason(_ status: Int, _ words: String, _ advice: String) async throws {
    let failing = ["reverse": status, "weather": status, "forecast": status]
    let (texts, _) = try await talk(["weather 37.57 126.98"], failing: failing, environment: WeatherCommandTests.key)
    var expected = "! error: No weather available.\n"
    for part in ["address", "weather now", "five-day forecast"] { expected += "!   reason: \(part): \(words).\n" }
    #expect(texts[0] == expected + advice + "= 1\n")
  }

  @Test(arguments: [
    (["2"], "런던, Ontario, CA", 1), ([""], "런던, England, GB", 1), (["9", "x", "3"], "런던, Ohio, US", 3),
  ])
  func ambiguousPlaceIsAskedAbout(_ answers: [String], _ chosen: String, _ questions: Int) async throws {
    let asker = ScriptedAsker(answers)
    var options = SessionOptions()
    options.language = "ko"
    try await Sandbox.with(asker: asker, options: options) { sandbox in
      let said = await sandbox.run("place London")
      #expect(said.hasPrefix("!   1  런던, England, GB  (51.5074, -0.1278)\n!   2  런던, Ontario, CA"), "\(said)")
      #expect(said.contains(chosen) && !said.contains("\n= "), "\(said)")
      #expect(asker.questions == Array(repeating: "어느 곳인가요? [1] ", count: questions))
      // A chosen place is saved, and isn't asked for again.
      #expect(await sandbox.run("weather").contains("런던"))
      #expect(asker.questions.count == questions)
    }
  }

  @Test func unansweredPlaceQuestionChoosesNone() async throws {
    try await Sandbox.with(asker: ScriptedAsker([])) { sandbox in
      #expect(await sandbox.run("weather London").hasSuffix("! note: No place was selected.\n= 4\n"))
    }
  }

  @Test func weatherIsRequestedOnceInTenMinutes() async throws {
    let (texts, requests) = try await talk(
      ["weather 37.57 126.98", "weather 37.57 126.98 list", "weather 37.57 126.98 as json"],
      environment: WeatherCommandTests.key)
    #expect(texts.allSatisfy { !$0.contains("\n= ") })
    #expect(requests == ["forecast", "reverse", "weather"])
    #expect(texts[2].hasPrefix("{\"place\":{") && texts[2].contains("\"sample\":false"))
  }

  @Test func reasonsInDataAreEnglishInEveryLanguage() async throws {
    let line = "weather 37.57 126.98 as json"
    let (texts, _) = try await talk(
      [line, "set lang ko", line], failing: ["reverse": 502, "weather": 0], environment: WeatherCommandTests.key)
    for text in [texts[0], texts[2]] {
      #expect(text.contains(#""reason":"the weather service has a problem (502)""#), "\(text)")
      #expect(text.contains(#""reason":"connection refused""#), "\(text)")
    }
  }

  /// A transport that never responds, and counts the requests that were cancelled.
  private final class Silence: Transport {
    private let reached: AsyncStream<Void>.Continuation
    private let ended = Mutex(0)

    init(_ reached: AsyncStream<Void>.Continuation) { self.reached = reached }

    var cancelled: Int { ended.withLock { $0 } }

    func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Response {
      reached.yield()
      try? await Task.sleep(for: .seconds(600))
      ended.withLock { $0 += 1 }
      throw TransportError(.cancelled, extent: .complete)
    }
  }

  @Test func ctrlCEndsAllThreeRequests() async throws {
    let (stream, reached) = AsyncStream<Void>.makeStream()
    let silence = Silence(reached)
    try await Sandbox.with(environment: WeatherCommandTests.key, between: { _, _ in silence }) { sandbox in
      let work = Task { await sandbox.run("weather 37.57 126.98") }
      for await _ in stream.prefix(3) {}
      work.cancel()
      let text = await work.value
      #expect(text.hasSuffix("= 130\n"), "\(text)")
      #expect(silence.cancelled == 3)
    }
  }

  @Test func keyOfTheProfileIsReadFromTheCredentials() async throws {
    let service = Service()
    let address = ["OPENWEATHER_URL": "http://127.0.0.1:1"]
    try await Sandbox.with(environment: address, between: { service.connect($0, $1) }) { sandbox in
      try Files.write(Data("canary0123456789\n".utf8), to: sandbox.folder + "/key")
      var text = await sandbox.run("profile demo weather_key=@\(sandbox.folder)/key")
      text += await sandbox.run("weather 37.57 126.98")
      #expect(!text.contains("canary") && text.contains("Seoul, KR"), "\(text)")
      let profiles = try String(contentsOfFile: sandbox.home.profilesFile, encoding: .utf8)
      let credentials = try String(contentsOfFile: sandbox.home.credentialsFile, encoding: .utf8)
      #expect(!profiles.contains("canary"))
      #expect(credentials.contains("canary0123456789"))
    }
  }

  @Test(arguments: [120, 80, 63, 40, 30])
  func noLineIsWiderThanTheTerminal(_ width: Int) async throws {
    let (texts, _) = try await talk(["set lang ko", "weather 37.57 126.98", "weather 서울 list"], width: width)
    for line in texts.dropFirst().joined().split(separator: "\n") where !line.hasPrefix("! ") {
      let plain = String(line).replacing(/\u{1B}\[[0-9;]*m/, with: "")
      #expect(WidthMeasurer().of(plain) <= width, "\(plain)")
    }
  }
}
