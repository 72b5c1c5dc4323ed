import Catalog
import Commands
import Foundation
import GRDB
import Networking
import Platform
import Shell
import ShellRuntime
import ShellTesting
import Synchronization

@testable import WriteJournal

/// One start of the program, in this process, with the requests in the hands of the test.
final class Program: Sendable {
  /// The exit code, or -9 for a program that was killed, and everything it printed, messages marked with `! `.
  struct Ended: Sendable {
    var code: Int32
    var said: String
  }

  /// A request before it is sent.
  struct Passage: Sendable {
    /// The number among the requests that write, or among those that read, from 1.
    var number: Int
    var isWrite: Bool
    var method: RequestMethod
    var target: String
    /// The bytes of a JSON body.
    var body = Data()
  }

  /// What becomes of a request.
  enum Fate: Sendable {
    case normal
    /// The request waits before it is sent.
    case waiting(@Sendable () async -> Void)
    /// The program is killed when the request arrives, which the server drops or applies.
    case killed(applied: Bool)
    /// The request doesn't arrive, and no response does.
    case lost
    /// The request is applied, and the response doesn't arrive.
    case landed
    /// The connection is refused.
    case unsent
    /// A proxy answers with this status, after the server dropped or applied it.
    case status(Int, applied: Bool)
    /// The user presses Ctrl-C before the response arrives.
    case interrupted

    /// A Boolean value that indicates that the server applies the request.
    var isApplied: Bool {
      switch self {
      case .normal, .waiting, .landed, .interrupted: true
      case .killed(let isApplied), .status(_, let isApplied): isApplied
      case .lost, .unsent: false
      }
    }
  }

  private let shell: Shell
  private let context: CommandContext
  private let console = BufferConsole()
  private let calls: CallRecorder
  private let door: ProgramTransport
  private let end = Mutex<(code: Int32?, waiter: CheckedContinuation<Int32, Never>?)>((nil, nil))
  private let home: AppDirectories
  private let shop: Shop
  private let hasFullDisk: Bool

  init(
    home: AppDirectories, shop: Shop, profile: String, clock: HomeClock, hasFullDisk: Bool,
    through transport: any Transport, answers: [String]?, decide: @escaping @Sendable (Passage) -> Fate
  ) throws {
    (self.home, self.shop, self.hasFullDisk) = (home, shop, hasFullDisk)
    let secrets = SecretRegistry()
    let calls = CallRecorder(at: home.callsFile, secrets: secrets)
    self.calls = calls
    let journal = LazilyOpenedJournal()
    let door = ProgramTransport(inner: transport, decide: decide)
    self.door = door
    let program = RunningProgram(
      commands: AllCommands.registry, lines: LineRunner(), console: console,
      asker: answers.map { ScriptedAsker($0) }, environment: Environment(["HOME": shop.folder]))
    let stores = Stores(
      home: home, secrets: secrets, calls: calls,
      journal: {
        try journal.journal {
          let journal = try Journal(
            at: home.journalFolder, clock: clock, busyTimeout: .seconds(1), mask: { secrets.mask($0) })
          if hasFullDisk { try Program.fill(journal) }
          return journal
        }
      },
      freshName: { UUID().uuidString.lowercased() })
    var context = CommandContext(
      program, stores, through: door, embedded: EmbeddedMarketAccess(address: { _ in throw CancellationError() }),
      clock: ProgramClock(now: { clock.date }))
    context.network.freshness = .seconds(600)
    var options = SessionOptions()
    options.profile = profile
    self.context = context
    shell = Shell(session: try context.opening.session(options), context: context)
    door.program.withLock { $0 = self }
  }

  /// Makes a journal one that can't grow, and takes what is free in its pages of attempts.
  private static func fill(_ journal: Journal) throws {
    try journal.queue.writeWithoutTransaction { database in
      try database.execute(sql: "PRAGMA max_page_count = 1")
      for _ in 0..<1_000 {
        let isFull = (try? database.execute(sql: "INSERT INTO event VALUES(0, '', 0, 'filler', '')")) == nil
        if isFull { return }
      }
    }
  }

  /// Frees the disk.
  private func empty() throws {
    guard hasFullDisk, Journal.exists(in: home.journalFolder) else { return }
    let queue = try DatabaseQueue(path: home.journalFolder + "/journal.sqlite")
    try queue.write { try $0.execute(sql: "DELETE FROM event WHERE state = 'filler'") }
    try queue.close()
  }

  /// Runs a line at the prompt.
  func type(_ line: String) async throws -> Ended {
    shell.interruption.reset()
    return try await run(isLiving: true) { await $0.run(line) }
  }

  /// Runs the program to the end of `body`, or until it is killed.
  ///
  /// `isLiving` means that it goes on with other lines.
  func run(isLiving: Bool = false, _ body: @escaping @Sendable (Shell) async -> ExitStatus) async throws -> Ended {
    let shell = shell
    end.withLock { $0.code = nil }
    let work = Task {
      let code = await body(shell)
      finish(shell.interruption.isRequested ? ExitStatus.interrupted.rawValue : code.rawValue)
    }
    self.work.withLock { $0 = work }
    let code = await withCheckedContinuation { waiter in
      let code = end.withLock { end in
        if end.code == nil { end.waiter = waiter }
        return end.code
      }
      if let code { waiter.resume(returning: code) }
    }
    if !isLiving { release() }
    context.stores.recording.snapshots?.finish()
    await calls.flush()
    if code < 0 { try shop.unlockFolders() }
    try empty()
    // The door would keep a program that has ended, with the files of its log, as long as the process lives.
    if !isLiving, code >= 0 { door.program.withLock { $0 = nil } }
    return Ended(code: code, said: shop.normalized(console.take()))
  }

  private let work = Mutex<Task<Void, Never>?>(nil)

  private func finish(_ code: Int32) {
    let waiter = end.withLock { end in
      guard end.code == nil else { return CheckedContinuation<Int32, Never>?.none }
      end.code = code
      defer { end.waiter = nil }
      return end.waiter
    }
    waiter?.resume(returning: code)
  }

  /// Ends the program as `kill -9` does: nothing of it is written any more, and its lock is free.
  fileprivate func kill() {
    if Journal.exists(in: home.journalFolder), let journal = try? context.stores.journal() {
      journal.poison.withLock { $0 = .system("killed") }
    }
    release()
    finish(-9)
  }

  /// Frees the lock of the session, as the end of a process does.
  private func release() {
    guard Journal.exists(in: home.journalFolder), let journal = try? context.stores.journal() else { return }
    unlink(home.journalFolder + "/sessions/" + journal.session + ".lock")
  }

  fileprivate var isKilled: Bool { end.withLock { $0.code == -9 } }

  /// Interprets a Ctrl-C as the program's own handler does.
  fileprivate func interrupt() {
    switch shell.interruption.handleInterrupt() {
    case .cancel, .abandon, .postpone: work.withLock { $0?.cancel() }
    case .finish, .leave: break
    }
  }
}

/// The transport of a program.
private final class ProgramTransport: Transport {
  let program = Mutex<Program?>(nil)
  private let inner: any Transport
  private let decide: @Sendable (Program.Passage) -> Program.Fate
  private let counts = Mutex((reads: 0, writes: 0))

  init(inner: any Transport, decide: @escaping @Sendable (Program.Passage) -> Program.Fate) {
    (self.inner, self.decide) = (inner, decide)
  }

  func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Response {
    if isKilled { await never() }
    let isWrite = request.method != .get && request.method != .head
    let number = counts.withLock { counts in
      if isWrite { counts.writes += 1 } else { counts.reads += 1 }
      return isWrite ? counts.writes : counts.reads
    }
    var passage = Program.Passage(number: number, isWrite: isWrite, method: request.method, target: request.target)
    if case .data(let body, _) = request.body { passage.body = body }
    let response: Response
    switch decide(passage) {
    case .normal: response = try await inner.send(request, to: base, with: options)
    case .waiting(let wait):
      await wait()
      response = try await inner.send(request, to: base, with: options)
    case .unsent: throw TransportError(.connectionRefused, extent: .none)
    case .lost:
      try await options.beforeFinalChunk?()
      throw TransportError(.timedOut, extent: .complete)
    case .landed:
      _ = try await inner.send(request, to: base, with: options)
      throw TransportError(.connectionClosed, extent: .complete)
    case .killed(let isApplied):
      if isApplied {
        _ = try await inner.send(request, to: base, with: options)
      } else {
        try await options.beforeFinalChunk?()
      }
      program.withLock { $0 }?.kill()
      await never()
      throw CancellationError()
    case .status(let status, let isApplied):
      if isApplied {
        _ = try await inner.send(request, to: base, with: options)
      } else {
        try await options.beforeFinalChunk?()
      }
      let body = Data(#"{"error":"\#(status)"}"#.utf8)
      return Response(status: status, headers: [HeaderField("Content-Type", "application/json")], body: body)
    case .interrupted:
      response = try await inner.send(request, to: base, with: options)
      program.withLock { $0 }?.interrupt()
    }
    if isKilled { await never() }
    return response
  }

  private var isKilled: Bool { program.withLock { $0 }?.isKilled ?? false }

  /// Suspends for ever, as the rest of a process that is gone.
  private func never() async { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
}
