import Foundation
import GRDBSQLite

/// What a statement of a person's may do: read the tables that are shown to it, for a while, within some memory.
final class QueryGuard {
  /// Bytes that SQLite may take beside what it had.
  static let mostMemory: Int64 = 256 << 20
  /// Steps of SQLite's machine between two looks at the clock: well under a millisecond.
  private static let steps: Int32 = 1_000

  private let deadline: ContinuousClock.Instant
  private let memory = sqlite3_memory_used()
  private(set) var failure: SQLFailure?
  private let seconds: Int

  init(seconds: Int) {
    self.seconds = seconds
    deadline = .now.advanced(by: .seconds(seconds))
  }

  /// From here on the connection does nothing else. The guard must outlive what is asked of it.
  func watch(_ connection: OpaquePointer) {
    for (limit, value) in QueryGuard.limits { _ = sqlite3_limit(connection, limit, value) }
    sqlite3_set_authorizer(connection, QueryGuard.authorize, nil)
    sqlite3_progress_handler(
      connection, QueryGuard.steps,
      { context in
        guard let context else { return 1 }
        return Unmanaged<QueryGuard>.fromOpaque(context).takeUnretainedValue().isOver ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  private var isOver: Bool {
    if failure == nil, ContinuousClock.now > deadline { failure = .tooLong(seconds) }
    if failure == nil, sqlite3_memory_used() - memory > QueryGuard.mostMemory { failure = .tooMuchMemory }
    return failure != nil
  }

  /// One step of the machine can do no more than these allow: no text of a value is long enough to be searched for long.
  private static let limits: [(Int32, Int32)] = [
    (SQLITE_LIMIT_LENGTH, 100_000), (SQLITE_LIMIT_SQL_LENGTH, 20_000), (SQLITE_LIMIT_COLUMN, 200),
    (SQLITE_LIMIT_EXPR_DEPTH, 100), (SQLITE_LIMIT_COMPOUND_SELECT, 50), (SQLITE_LIMIT_VDBE_OP, 100_000),
    (SQLITE_LIMIT_FUNCTION_ARG, 32), (SQLITE_LIMIT_ATTACHED, 0), (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 200),
    (SQLITE_LIMIT_VARIABLE_NUMBER, 32), (SQLITE_LIMIT_TRIGGER_DEPTH, 0), (SQLITE_LIMIT_WORKER_THREADS, 0),
  ]

  /// Asked about everything that a statement would do, while it is prepared.
  private static let authorize:
    @convention(c) (
      UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?,
      UnsafePointer<CChar>?
    ) -> Int32 = { _, action, first, second, database, source in
      func text(_ pointer: UnsafePointer<CChar>?) -> String? { pointer.map { String(cString: $0) } }
      let allowed =
        switch action {
        case SQLITE_SELECT, SQLITE_RECURSIVE: true
        case SQLITE_FUNCTION: !QueryGuard.forbidden.contains(text(second)?.lowercased() ?? "")
        case SQLITE_READ:
          QueryGuard.mayRead(text(first) ?? "", text(second) ?? "", database: text(database), source: text(source))
        // The index of words asks whether another wrote to it meanwhile.
        case SQLITE_PRAGMA: text(first) == "data_version" && second == nil
        default: false
        }
      return allowed ? SQLITE_OK : SQLITE_DENY
    }

  /// - Parameter source: the view through which it is read.
  private static func mayRead(_ table: String, _ column: String, database: String?, source: String?) -> Bool {
    let names = SQLTable.allCases.map(\.rawValue)
    if let source, names.contains(source) { return true }
    // Nothing of it is read: a count of rows, a table that is joined for nothing.
    if column.isEmpty, table.hasPrefix("sqlite_") == false { return true }
    switch database {
    case "temp": return names.contains(table)
    case "versions": return table == "wording" || table.hasPrefix("words")
    case nil: return false
    default: return false
    }
  }

  /// The texts of every market lie in one table, and the index of words must be allowed to read it.
  static func namesHidden(_ text: String) -> Bool {
    CopiedSubqueries.tokens(text).contains { $0 == "wording" || $0 == "words" || $0.hasPrefix("words_") }
  }

  private static let forbidden: Set<String> = ["load_extension", "fts3_tokenizer", "fts5", "sqlite_log"]
}

/// Whether the subqueries that a text names (`WITH a AS (…)`) can be worked out: SQLite copies each wherever it is named,
/// and again in every copy, before it asks whether it may go on.
enum CopiedSubqueries {
  private static let most = 4_096

  static func areFew(in text: String) -> Bool {
    let words = tokens(text)
    guard words.contains("with") else { return true }
    var count: [String: Int] = [:]
    for (index, word) in words.enumerated() where index + 1 == words.count || words[index + 1] != "." {
      count[word, default: 0] += 1
    }
    var copies = 1
    for name in defined(words) {
      // Once where it is defined.
      copies *= max(1, count[name, default: 1] - 1)
      if copies > most { return false }
    }
    return true
  }

  /// Names before `AS (`, with or without columns in between.
  private static func defined(_ words: [String]) -> Set<String> {
    var names: Set<String> = []
    for index in words.indices where words[index] == "as" && index > 0 {
      let next = words[(index + 1)...].first { !["not", "materialized"].contains($0) }
      guard next == "(" else { continue }
      var place = index - 1
      if words[place] == ")" {
        while place > 0, words[place] != "(" { place -= 1 }
        place -= 1
      }
      if place >= 0 { names.insert(words[place]) }
    }
    return names
  }

  /// Words in small letters, single signs; quoted names without their quotes, texts and remarks left out.
  static func tokens(_ text: String) -> [String] {
    var result: [String] = []
    var rest = text.unicodeScalars[...]
    while let first = rest.first {
      if first.properties.isAlphabetic || first == "_" || ("0"..."9").contains(first) {
        let word = rest.prefix { $0.properties.isAlphabetic || $0 == "_" || $0 == "$" || ("0"..."9").contains($0) }
        result.append(String(word).lowercased())
        rest = rest.dropFirst(word.count)
      } else if first == "'" || first == "\"" || first == "`" || first == "[" {
        let end: Unicode.Scalar = first == "[" ? "]" : first
        let inner = rest.dropFirst().prefix { $0 != end }
        if first != "'" { result.append(String(inner).lowercased()) }
        rest = rest.dropFirst(inner.count + 2)
      } else if rest.starts(with: "--".unicodeScalars) {
        rest = rest.drop { $0 != "\n" }
      } else if rest.starts(with: "/*".unicodeScalars) {
        rest = rest.dropFirst(2)
        while !rest.isEmpty, !rest.starts(with: "*/".unicodeScalars) { rest = rest.dropFirst() }
        rest = rest.dropFirst(2)
      } else {
        if !first.properties.isWhitespace { result.append(String(first)) }
        rest = rest.dropFirst()
      }
    }
    return result
  }
}
