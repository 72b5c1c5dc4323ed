import Foundation

/// A program on a terminal of its own, timed until it has written something.
struct TerminalProcess {
  let pid: pid_t
  private let master: Int32

  init(_ arguments: [String]) throws {
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
    // POSIX_SPAWN_SETSID, which glibc gives only to GNU sources: a session of its own, and so this terminal.
    posix_spawnattr_setflags(&attributes, 0x80)
    var pid: pid_t = 0
    let words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    let code = posix_spawnp(&pid, arguments[0], &actions, &attributes, words, environ)
    words.forEach { free($0) }
    close(slave)
    guard code == 0 else { throw BenchmarkError.cannotStart(arguments[0]) }
    self.pid = pid
    self.master = master
  }

  /// Reads until `text` has come; false when the program ended or ten seconds went by first.
  func wait(for text: String) -> Bool {
    var seen: [UInt8] = []
    let wanted = Array(text.utf8)
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      var waiting = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
      guard poll(&waiting, 1, 10_000) > 0 else { return false }
      let count = read(master, &buffer, buffer.count)
      guard count > 0 else { return false }
      seen += buffer[..<count]
      if seen.count >= wanted.count, seen.indices.contains(where: { seen[$0...].starts(with: wanted) }) { return true }
    }
  }

  /// Resident memory in megabytes, from /proc.
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

enum BenchmarkError: Error {
  case noTerminal
  case cannotStart(String)
  case didNotAnswer(String)
}
