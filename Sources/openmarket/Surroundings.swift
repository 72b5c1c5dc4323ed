@preconcurrency import Glibc

/// What the process was started with.
enum Surroundings {
  /// The environment, read once at the start, before any other thread lives. Foundation's own reading of it costs a
  /// tenth of the time to the prompt.
  static func environment() -> [String: String] {
    var all: [String: String] = [:]
    all.reserveCapacity(64)
    var entry = environ
    while let text = entry.pointee {
      entry += 1
      guard let end = strchr(text, 61) else { continue }
      let name = UnsafeBufferPointer(start: text, count: end - text)
      all[String(decoding: UnsafeRawBufferPointer(name), as: UTF8.self)] = String(cString: end + 1)
    }
    return all
  }
}
