import Foundation

/// A program on a pseudoterminal, measured until it has written something.
struct TerminalProcess {
  let pid: pid_t
  private let master: Int32
  /// The bytes read after the text that was waited for.
  private let unread = Unread()

  private final class Unread { var bytes: [UInt8] = [] }

  /// Starts a program.
  ///
  /// `environment` is added to that of this process.
  init(_ arguments: [String], environment: [String: String] = [:]) throws {
    var master: Int32 = 0
    var slave: Int32 = 0
    guard openpty(&master, &slave, nil, nil, nil) == 0 else { throw BenchmarkError.noTerminal }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    for descriptor in 0...2 { posix_spawn_file_actions_adddup2(&actions, slave, Int32(descriptor)) }
    posix_spawn_file_actions_addclose(&actions, master)
    posix_spawn_file_actions_addclose(&actions, slave)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    // POSIX_SPAWN_SETSID, which glibc declares only with `_GNU_SOURCE`: a session of its own, whose controlling
    // terminal is this one.
    posix_spawnattr_setflags(&attributes, 0x80)
    var pid: pid_t = 0
    let words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    var all = ProcessInfo.processInfo.environment
    all["TERM"] = all["TERM"] ?? "xterm-256color"
    all.merge(environment) { $1 }
    let variables: [UnsafeMutablePointer<CChar>?] = all.map { strdup("\($0)=\($1)") } + [nil]
    let code = posix_spawnp(&pid, arguments[0], &actions, &attributes, words, variables)
    (words + variables).forEach { free($0) }
    close(slave)
    guard code == 0 else { throw BenchmarkError.cannotStart(arguments[0]) }
    self.pid = pid
    self.master = master
  }

  /// Reads until `text` arrives.
  ///
  /// Returns false if the program ends or there is no output for the given time.
  func wait(for text: String, within seconds: Int32 = 10) -> Bool {
    var seen = unread.bytes
    unread.bytes = []
    let wanted = Array(text.utf8)
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      if seen.count >= wanted.count, let index = seen.indices.first(where: { seen[$0...].starts(with: wanted) }) {
        unread.bytes = Array(seen[(index + wanted.count)...])
        return true
      }
      var waiting = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
      guard poll(&waiting, 1, seconds * 1000) > 0 else { return false }
      let count = read(master, &buffer, buffer.count)
      guard count > 0 else { return false }
      seen += buffer[..<count]
    }
  }

  func type(_ keys: String) {
    unread.bytes = []
    let bytes = Array(keys.utf8)
    _ = bytes.withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
  }

  /// Reads until there is no output for 5 ms.
  func drain() {
    while waitForAnything(milliseconds: 5) {}
  }

  /// Reads once.
  ///
  /// Returns false if there is no output.
  func waitForAnything(milliseconds: Int32 = 5000) -> Bool {
    var waiting = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
    guard poll(&waiting, 1, milliseconds) > 0 else { return false }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    return read(master, &buffer, buffer.count) > 0
  }

  /// The processor time used, user and system, in milliseconds, from /proc.
  var cpuMilliseconds: Double {
    let text = (try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)) ?? ""
    // The fields after the name in parentheses; fields 14 and 15 of proc(5), in hundredths of a second.
    let fields = text.drop { $0 != ")" }.split(separator: " ")
    guard fields.count > 13, let user = Double(fields[12]), let system = Double(fields[13]) else { return 0 }
    return (user + system) * 10
  }

  /// The resident memory in megabytes, from /proc.
  var residentMegabytes: Double {
    let status = (try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
    return (line?.split(separator: " ").dropFirst().first).flatMap { Double($0) }.map { $0 / 1024 } ?? 0
  }

  func end() {
    kill(pid, SIGKILL)
    var status: Int32 = 0
    waitpid(pid, &status, 0)
    close(master)
  }
}
