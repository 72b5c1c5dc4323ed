import Foundation

/// How this process behaves towards the system: secrets stay out of core dumps, a closed pipe is an error and not a death.
enum ProcessManners {
  static func adopt() {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
  }
}
