/// The system calls by which the program accesses its journal, its other files and its sockets.
enum SystemCalls: String, CaseIterable {
  case fdatasync, pwrite64, openat, fcntl, ftruncate, fsync, rename, unlink, flock, socket, connect, write, writev,
    read,
    close

  static let tracer = "/usr/bin/strace"

  /// The approximate number of calls of this name that one thread makes in a run.
  var most: Int {
    switch self {
    case .fdatasync: 8
    case .pwrite64: 60
    case .openat: 40
    case .fcntl: 80
    case .write, .read, .writev: 25
    case .socket, .connect, .rename, .unlink, .flock, .ftruncate, .fsync: 4
    case .close: 30
    }
  }

  /// Returns a tracer that kills its program at the n-th call of this name, counted for each thread.
  static func killing(at call: String, _ number: Int) -> [String] {
    injecting("signal=SIGKILL:when=\(number)", into: call)
  }

  /// Returns a tracer that injects an action into calls of this name (see the manual of strace, `-e inject`).
  ///
  /// - Parameter log: The file that lists the calls, with the paths of their descriptors.
  static func injecting(_ what: String, into call: String, log: String = "/dev/null") -> [String] {
    [
      tracer, "-f", "-y", "-qqq", "-o", log, "--seccomp-bpf", "-e", "trace=\(call)", "-e", "inject=\(call):\(what)",
    ]
  }
}
