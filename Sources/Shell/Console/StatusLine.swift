import Synchronization

/// The one line at the bottom that comes and goes: whoever writes next finds the row clean.
final class StatusLine: Sendable {
  private let descriptor: Int32
  private let shown = Mutex<String?>(nil)

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  func show(_ text: String?) {
    shown.withLock { now in
      guard text != now else { return }
      // A line that cannot be drawn is no failure of what it tells about.
      try? Descriptor.write("\r\u{1B}[K" + (text ?? ""), to: descriptor)
      now = text
    }
  }
}
