import Foundation
import LineEditing

/// How this process behaves towards the system: secrets stay out of core dumps, a closed pipe is an error and not a death.
enum ProcessManners {
  static func adopt() {
    keepStandardDescriptors()
    // Inherited as ignored, no program that is started would be told to have ended.
    signal(SIGCHLD, SIG_DFL)
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    TerminalRestoration.install()
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
  }

  /// Of those that are closed (`>&-`) nothing else of ours takes the number: what is printed would go into it. Reading
  /// ends at once, writing fails.
  private static func keepStandardDescriptors() {
    for number in Int32(0)..<3 where fcntl(number, F_GETFD) < 0 { _ = open("/dev/null", O_RDONLY) }
  }
}
