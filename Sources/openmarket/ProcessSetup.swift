import Dispatch
import Foundation
import LineEditing

/// Process-wide setup: signal dispositions, resource limits and standard file descriptors.
///
/// `SIGPIPE` is ignored so that writing to a closed pipe returns `EPIPE`. Core dumps are disabled because memory can
/// contain secrets.
enum ProcessSetup {
  static func configure() {
    reserveStandardDescriptors()
    // If SIGCHLD were inherited as ignored, the exit status of child processes would be lost.
    signal(SIGCHLD, SIG_DFL)
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    TerminalRestoration.install()
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
  }

  /// Opens `/dev/null` on any of the descriptors 0–2 that is closed (`>&-`).
  ///
  /// Otherwise the next file that the process opens would get that number and receive the program's output. Reading
  /// returns end-of-file, and writing fails.
  private static func reserveStandardDescriptors() {
    for number in Int32(0)..<3 where fcntl(number, F_GETFD) < 0 { _ = open("/dev/null", O_RDONLY) }
  }
}
