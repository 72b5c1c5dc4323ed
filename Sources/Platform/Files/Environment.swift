import Glibc

/// A snapshot of the environment variables of the process, or those of a test.
///
/// It is a list because a session reads only a handful of them: the first dictionary of a process takes longer to build
/// than a list to search.
package struct Environment: Sendable, ExpressibleByDictionaryLiteral {
  /// The variables in the order of the process, each name once.
  package private(set) var all: [(name: String, value: String)] = []

  package init(dictionaryLiteral elements: (String, String)...) {
    for (name, value) in elements { self[name] = value }
  }

  /// Creates an environment from a dictionary, in no particular order.
  package init(_ values: [String: String]) { all = values.map { ($0.key, $0.value) } }

  /// The variables as a dictionary.
  package var values: [String: String] { Dictionary(all.map { ($0.name, $0.value) }) { first, _ in first } }

  /// Reads the variables of the process.
  ///
  /// Call it before creating threads, because `environ` is not synchronized. Of a repeated name the first counts, as in
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

  /// The value of a variable, or `nil` if it is not set.
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
