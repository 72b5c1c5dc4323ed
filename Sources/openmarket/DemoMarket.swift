import Dispatch
import EmbeddedMarket
import Foundation
import MarketAPI
import Platform
import Presentation
import ShellRuntime
import Synchronization
import Text

/// The embedded market servers, one for each edition in use, which start in the background when they are first needed.
actor DemoMarket {
  /// The names of its vendors, for completion; empty until it listens.
  nonisolated var vendorNames: [String] { names.withLock { $0 } }
  private nonisolated let names = Mutex<[String]>([])
  /// The notice about a new address, until it was printed.
  private nonisolated let notice = Mutex<Message?>(nil)
  private let folder: String
  /// The lock of the first shell on the folder, which has the remembered ports.
  private var lock: FolderLock?
  private var starting: [Edition: Task<URL, any Error>] = [:]
  private var running: [Edition: EmbeddedMarket] = [:]

  init(folder: String) { self.folder = folder }

  /// Returns the base URL of a server when it accepts connections.
  ///
  /// - Throws: `MarketStartError`.
  func baseURL(_ edition: Edition) async throws -> URL {
    if let task = starting[edition] { return try await task.value }
    let folder = folder
    // Starting takes long. On the small thread pool it would delay the work that ends the program.
    let thread = ThreadTaskExecutor("market")
    let task = Task(executorPreference: thread) {
      defer { thread.stop() }
      try Files.createHomeFolder(folder)
      var options = MarketOptions(dataDirectory: folder)
      options.api = .edition(edition.servedEdition)
      // Every account of the machine reaches the port, and the demo vendor's secret is in the source.
      options.servesOwnAccountOnly = true
      options.recordsRequests = true
      await self.lockFolder()
      let remembered = RememberedPort(in: folder, edition)
      let (market, url) = try await DemoMarket.start(options, remembered)
      await self.notice(unlessAt: remembered.number, url)
      let names = ((try? await market.everyVendor()) ?? []).map(\.name)
      self.names.withLock { $0 = names }
      await self.retain(market, edition)
      return url
    }
    starting[edition] = task
    do {
      return try await task.value
    } catch let error as MarketStartError {
      starting[edition] = nil
      throw CommandError(error)
    } catch {
      // The next command tries again, because the disk may be writable by then.
      starting[edition] = nil
      throw error
    }
  }

  /// Starts a server on the port that this folder had before, so that copied addresses stay valid, or on another one if that is
  /// in use.
  private static func start(
    _ options: MarketOptions, _ remembered: RememberedPort
  ) async throws -> (market: EmbeddedMarket, url: URL) {
    if let port = remembered.number {
      var fixed = options
      fixed.port = port
      let market = EmbeddedMarket(fixed)
      do {
        return (market, try await market.start())
      } catch MarketStartError.portInUse(_, _) {
        // Another shell of this folder has it, or another program. The next start tries it again.
        await market.stop()
      } catch MarketStartError.hostUnusable(_, _, _) {
        await market.stop()
      }
    }
    let market = EmbeddedMarket(options)
    let url = try await market.start()
    if remembered.number == nil, let port = url.port { remembered.store(port) }
    return (market, url)
  }

  /// Everyone who may log in there.
  ///
  /// - Throws: `CommandError` where it does not start, and what its file throws.
  func vendors() async throws -> [EmbeddedVendor] {
    _ = try await baseURL(starting.keys.first ?? .newest)
    return try await running.values.first?.everyVendor().map {
      EmbeddedVendor(number: $0.vendorID, name: $0.name, identifier: $0.identifier, secret: $0.secret)
    } ?? []
  }

  func stop() async {
    for market in running.values { await market.stop() }
    running = [:]
    lock = nil
  }

  private func retain(_ market: EmbeddedMarket, _ edition: Edition) { running[edition] = market }

  /// Returns the last requests of apps to the server of an edition whose number is above `number`, or `nil` if it doesn't run.
  func received(after number: Int, _ edition: Edition) async -> [ReceivedCall]? {
    guard let market = running[edition] else { return nil }
    return await market.receivedRequests(after: number).map { ReceivedCall($0) }
  }

  private func lockFolder() { lock = lock ?? FolderLock(folder) }

  /// Stores a notice for the user if another program has the remembered port.
  ///
  /// A second shell of the home has no lock and gives no notice: remembered addresses reach the market of the first one.
  private func notice(unlessAt port: Int?, _ url: URL) {
    guard lock != nil, let port, let now = url.port, now != port else { return }
    notice.withLock {
      $0 = .note(
        "Another program uses port \(port). The URL of the built-in market is \(.value(url.absoluteString)) in this session.",
        ko: "다른 프로그램이 \(port)번 포트를 쓰고 있습니다. 이 세션에서 내장 마켓의 주소는 \(.value(url.absoluteString))입니다.")
    }
  }

  /// Returns the notice about a new address once.
  nonisolated func takeNotice() -> Message? {
    notice.withLock { notice in
      defer { notice = nil }
      return notice
    }
  }
}

/// The port of an edition's server, in a file next to the market's data.
private struct RememberedPort {
  private let path: String
  /// The port, or `nil` before the first start.
  let number: Int?

  init(in folder: String, _ edition: Edition) {
    path = folder + "/port-" + edition.rawValue
    let text = (try? Files.text(path, limit: 16)) ?? nil
    number = text.flatMap { Int($0.trimmed) }.flatMap { (1_024...65_535).contains($0) ? $0 : nil }
  }

  /// Stores the port.
  ///
  /// If the file can't be written, the next start chooses another port.
  func store(_ port: Int) { try? Files.write(Data("\(port)\n".utf8), to: path, mode: 0o600) }
}

extension Edition {
  /// The edition in the server's own type, because client and server share no types.
  var servedEdition: ServedEdition {
    switch self {
    case .camp1: .camp1
    case .camp2: .camp2
    case .training: .training
    case .open: .open
    }
  }

  /// Creates the edition that a server serves.
  init(_ served: ServedEdition) {
    self =
      switch served {
      case .camp1: .camp1
      case .camp2: .camp2
      case .training: .training
      case .open: .open
      }
  }
}

extension CommandError {
  /// Creates the failure that the embedded market can't start.
  init(_ error: MarketStartError) {
    let what = Message.failure("Could not start the built-in market.", ko: "내장 마켓을 시작하지 못했습니다.")
    switch error {
    case .portInUse(let host, let port):
      self.init(
        .unreachable,
        what.because("Port \(port) on \(host) is already in use.", ko: "\(host)의 \(port)번 포트가 이미 사용 중입니다.")
          .next(
            "Use \(.command("--port 0")) to pick a free port.", ko: "빈 포트를 쓰려면 \(.command("--port 0"), .object) 쓰세요."))
    case .hostUnusable(let host, let port, let reason):
      self.init(
        .unreachable,
        what.because(
          "Cannot listen on \(.value("\(host):\(port)")): \(.foreign(reason))",
          ko: "\(.value("\(host):\(port)"))에서 수신 대기할 수 없습니다: \(.foreign(reason))"))
    case .dataDirectoryNotWritable(let path, let reason):
      self.init(
        .unreachable,
        what.because(
          "Cannot write to \(.value(path)): \(.foreign(reason))",
          ko: "\(.value(path))에 쓸 수 없습니다: \(.foreign(reason))"
        )
        .next(
          "Use \(.command("--home DIR")) to keep all files in another directory.",
          ko: "모든 파일을 다른 폴더에 두려면 \(.command("--home DIR"), .object) 쓰세요.")
      )
    case .damaged(let path, let findings):
      self.init(
        .unreachable,
        what.because(
          "\(.value(path)) is damaged: \(.foreign(findings.first ?? ""))",
          ko: "파일 \(.value(path), .subject) 손상되었습니다: \(.foreign(findings.first ?? ""))"
        ).next("Move the file away to start over.", ko: "옮겨 두면 새로 시작합니다."))
    case .newerVersion(let path, let found, let supported):
      self.init(
        .unreachable,
        what.because(
          "\(.value(path)) was written by a newer version of openmarket (format \(found); this one supports up to \(supported)).",
          ko: "\(.value(path), .topic) 더 새로운 버전의 openmarket이 만든 파일입니다(형식 \(found), 지원 형식 \(supported))."))
    case .foreign(let path):
      self.init(
        .unreachable,
        what.because(
          "\(.value(path)) belongs to another program. It was not changed.",
          ko: "\(.value(path), .topic) 다른 프로그램의 파일입니다. 바꾸지 않았습니다."
        ).next("Move the file away to start over.", ko: "옮겨 두면 새로 시작합니다."))
    case .unusableProduct(let name, let reason):
      self.init(
        .usageError,
        what.because(
          "The product \(.value(name)) cannot be used: \(.foreign(reason)).",
          ko: "상품 \(.value(name), .object) 쓸 수 없습니다: \(.foreign(reason))."))
    case .unknownPath(let rule, let paths):
      self.init(
        .usageError,
        what.because(
          "This API has no requests for the faults of \(.value(rule)).",
          ko: "이 API에는 장애 규칙 \(.value(rule))에 맞는 요청이 없습니다."
        ).next(
          "Its requests are \(.foreign(paths.joined(separator: ", "))).",
          ko: "쓸 수 있는 요청: \(.foreign(paths.joined(separator: ", "))).")
      )
    case .alreadyStarted: self.init(.unreachable, what)
    }
  }
}

/// A task executor with one thread, for long work that should not occupy the threads of the global pool.
final class ThreadTaskExecutor: TaskExecutor {
  private struct Work {
    var jobs: [UnownedJob] = []
    var isStopping = false
  }

  private let task = Mutex(Work())
  private let jobAvailable = DispatchSemaphore(value: 0)

  init(_ name: String) {
    let thread = Thread { self.run() }
    thread.name = name
    thread.start()
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isOver = task.withLock { work in
      if !work.isStopping { work.jobs.append(job) }
      return work.isStopping
    }
    // A job after the end is short, and may run on any thread.
    if isOver { return DispatchQueue.global().async { job.runSynchronously(on: self.asUnownedTaskExecutor()) } }
    jobAvailable.signal()
  }

  /// Ends the thread when no job is left.
  func stop() {
    task.withLock { $0.isStopping = true }
    jobAvailable.signal()
  }

  /// Does what comes until `stop`.
  private func run() {
    while true {
      jobAvailable.wait()
      let (job, isOver) = task.withLock { work in
        (work.jobs.isEmpty ? nil : work.jobs.removeFirst(), work.isStopping)
      }
      if let job {
        job.runSynchronously(on: asUnownedTaskExecutor())
      } else if isOver {
        return
      }
    }
  }
}
