import Glibc

/// The variables of the process as they were when it began, or those a test hands in.
///
/// A list: a session asks for a handful of a few dozen, and to make the first dictionary of a process takes longer than to
/// look through it each time. Foundation's own reading of the environment costs a tenth of the time to the prompt.
package struct Environment: Sendable, ExpressibleByDictionaryLiteral {
  /// In the order of the process; each name once.
  package private(set) var all: [(name: String, value: String)] = []

  package init(dictionaryLiteral elements: (String, String)...) {
    for (name, value) in elements { self[name] = value }
  }

  /// Those of a dictionary, in no order.
  package init(_ values: [String: String]) { all = values.map { ($0.key, $0.value) } }

  /// The same as a dictionary.
  package var values: [String: String] { Dictionary(all.map { ($0.name, $0.value) }) { first, _ in first } }

  /// The process's own; call it before any other thread lives. Of a name that stands there twice the first counts, as for
  /// `getenv`.
  package static func ofProcess() -> Environment {
    var found: Environment = [:]
    found.all.reserveCapacity(64)
    var entry = environ
    while let text = entry.pointee {
      entry += 1
      guard let end = strchr(text, 61) else { continue }
      let bytes = UnsafeRawBufferPointer(start: text, count: end - text)
      let name = String(decoding: bytes, as: UTF8.self)
      if found[name] == nil { found.all.append((name, String(cString: end + 1))) }
    }
    return found
  }

  /// Nil where it is not set.
  package subscript(name: String) -> String? {
    get {
      for variable in all where variable.name == name { return variable.value }
      return nil
    }
    set {
      let place = all.firstIndex { $0.name == name }
      switch (place, newValue) {
      case (let place?, let value?): all[place].value = value
      case (let place?, nil): all.remove(at: place)
      case (nil, let value?): all.append((name, value))
      case (nil, nil): break
      }
    }
  }
}
