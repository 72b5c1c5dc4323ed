import Glibc

/// The modes of a terminal in comparable form.
struct Modes: Equatable {
  private let flags: [tcflag_t]
  private let controls: [UInt8]
  var isEchoing: Bool { flags[3] & tcflag_t(ECHO) != 0 }

  init(_ modes: termios) {
    flags = [modes.c_iflag, modes.c_oflag, modes.c_cflag, modes.c_lflag]
    controls = withUnsafeBytes(of: modes.c_cc) { Array($0) }
  }
}
