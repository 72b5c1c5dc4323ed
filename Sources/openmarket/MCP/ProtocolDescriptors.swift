import Foundation

/// The descriptors of the protocol, taken out of reach of everything else in the process.
///
/// Standard output belongs to the protocol: afterwards descriptor 1 is standard error, and descriptor 0 is `/dev/null`, so
/// that neither a stray `print` nor a child process can disturb the conversation.
struct ProtocolDescriptors {
  let input: Int32
  let output: Int32

  /// Takes the descriptors.
  ///
  /// Call it before anything is written.
  init() {
    input = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
    output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
    dup2(STDERR_FILENO, STDOUT_FILENO)
    let null = open("/dev/null", O_RDONLY | O_CLOEXEC)
    if null >= 0 {
      dup2(null, STDIN_FILENO)
      close(null)
    }
  }
}
