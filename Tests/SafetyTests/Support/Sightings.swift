import Foundation
import Synchronization

/// The contents of `/proc` for the processes of one town and their children.
final class Sightings: Sendable {
  private let seen = Mutex<[String]>([])

  var count: Int { seen.withLock { $0.count } }
  var text: String { seen.withLock { $0.joined(separator: "\n") } }

  func look(_ names: [String], in town: Town) {
    var family: Set<Int32> = []
    var texts: [String] = []
    let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc"))?.compactMap { Int32($0) } ?? []
    for process in all.sorted()
    where family.contains(parent(of: process) ?? -1) || read("/proc/\(process)/cmdline").contains(town.folder) {
      family.insert(process)
      for name in names { texts.append(read("/proc/\(process)/\(name)")) }
    }
    seen.withLock { [texts] in $0 += texts }
  }

  private func parent(of process: Int32) -> Int32? {
    // The second field after a name in parentheses, which may contain any character.
    let fields = read("/proc/\(process)/stat").split(separator: ")").last?.split(separator: " ") ?? []
    return fields.count > 1 ? Int32(fields[1]) : nil
  }

  private func read(_ path: String) -> String {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return "" }
    defer { close(file) }
    var bytes = Data()
    while Socket.read(file, into: &bytes) {}
    return String(decoding: bytes, as: UTF8.self)
  }
}
