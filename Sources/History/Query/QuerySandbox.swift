import Foundation
import GRDBSQLite

/// The limits for a user's SQL statement: it may read the offered tables, for a limited time and with limited memory.
final class QuerySandbox {
  /// The maximum number of bytes that SQLite may allocate for the statement.
  static let maximumMemory: Int64 = 256 << 20
  /// The number of virtual machine instructions between two checks of the time limit: well below a millisecond.
  private static let progressInterval: Int32 = 1_000

  private let deadline: ContinuousClock.Instant
  private let memory = sqlite3_memory_used()
  private(set) var failure: SQLError?
  private let seconds: Double

  init(seconds: Double) {
    self.seconds = seconds
    deadline = .now.advanced(by: .seconds(seconds))
  }

  /// Installs the limits on a connection, which isn't used for anything else afterwards.
  ///
  /// The guard must outlive the statement.
  func install(_ connection: OpaquePointer) {
    for (limit, value) in QuerySandbox.limits { _ = sqlite3_limit(connection, limit, value) }
    sqlite3_set_authorizer(connection, QuerySandbox.authorize, nil)
    sqlite3_progress_handler(
      connection, QuerySandbox.progressInterval,
      { context in
        guard let context else { return 1 }
        return Unmanaged<QuerySandbox>.fromOpaque(context).takeUnretainedValue().hasExceededLimits ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  private var hasExceededLimits: Bool {
    if failure == nil, ContinuousClock.now > deadline { failure = .timedOut(Int(seconds.rounded(.up))) }
    if failure == nil, sqlite3_memory_used() - memory > QuerySandbox.maximumMemory { failure = .tooMuchMemory }
    return failure != nil
  }

  /// The limits that keep a single instruction short: no value is long enough to be searched for long.
  private static let limits: [(Int32, Int32)] = [
    (SQLITE_LIMIT_LENGTH, 100_000), (SQLITE_LIMIT_SQL_LENGTH, 20_000), (SQLITE_LIMIT_COLUMN, 200),
    (SQLITE_LIMIT_EXPR_DEPTH, 100), (SQLITE_LIMIT_COMPOUND_SELECT, 50), (SQLITE_LIMIT_VDBE_OP, 100_000),
    (SQLITE_LIMIT_FUNCTION_ARG, 32), (SQLITE_LIMIT_ATTACHED, 0), (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 200),
    (SQLITE_LIMIT_VARIABLE_NUMBER, 32), (SQLITE_LIMIT_TRIGGER_DEPTH, 0), (SQLITE_LIMIT_WORKER_THREADS, 0),
  ]

  /// The authorizer, which SQLite calls for every action of a statement while it is prepared.
  private static let authorize:
    @convention(c) (
      UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?,
      UnsafePointer<CChar>?
    ) -> Int32 = { _, action, first, second, database, source in
      func text(_ pointer: UnsafePointer<CChar>?) -> String? { pointer.map { String(cString: $0) } }
      let allowed =
        switch action {
        case SQLITE_SELECT, SQLITE_RECURSIVE: true
        case SQLITE_FUNCTION: !QuerySandbox.forbidden.contains(text(second)?.lowercased() ?? "")
        case SQLITE_READ:
          QuerySandbox.isReadable(text(first) ?? "", text(second) ?? "", database: text(database), source: text(source))
        // The full-text index checks whether another connection has changed it.
        case SQLITE_PRAGMA: text(first) == "data_version" && second == nil
        default: false
        }
      return allowed ? SQLITE_OK : SQLITE_DENY
    }

  /// Returns whether a column may be read, either directly or through the view `source`.
  private static func isReadable(_ table: String, _ column: String, database: String?, source: String?) -> Bool {
    let names = SQLTable.allCases.map(\.rawValue)
    if let source, names.contains(source) { return true }
    // Nothing is read from the table itself: a count of rows, or an unused join.
    if column.isEmpty, table.hasPrefix("sqlite_") == false { return true }
    switch database {
    case "temp": return names.contains(table)
    case "versions": return table == "wording" || table.hasPrefix("words")
    case nil: return false
    default: return false
    }
  }

  /// Returns whether the text names a table that contains the texts of all markets.
  ///
  /// The full-text index reads those tables, so the authorizer can't forbid them.
  static func mentionsInternalTables(_ text: String) -> Bool {
    CopiedSubqueries.tokenize(text).contains { $0 == "wording" || $0 == "words" || $0.hasPrefix("words_") }
  }

  private static let forbidden: Set<String> = ["load_extension", "fts3_tokenizer", "fts5", "sqlite_log"]
}

/// Limits the expansion of common table expressions (`WITH a AS (…)`).
///
/// SQLite copies such a subquery at every reference, and recursively in every copy, before it calls the progress
/// handler, so the number of copies is checked first.
enum CopiedSubqueries {
  private static let maximumCount = 4_096

  static func isWithinLimit(in text: String) -> Bool {
    let words = tokenize(text)
    guard words.contains("with") else { return true }
    var count: [String: Int] = [:]
    for (index, word) in words.enumerated() where index + 1 == words.count || words[index + 1] != "." {
      count[word, default: 0] += 1
    }
    var copies = 1
    for name in definedNames(words) {
      // One occurrence is the definition.
      copies *= max(1, count[name, default: 1] - 1)
      if copies > maximumCount { return false }
    }
    return true
  }

  /// Returns the names before `AS (`, with or without a list of columns in between.
  private static func definedNames(_ words: [String]) -> Set<String> {
    var names: Set<String> = []
    for index in words.indices where words[index] == "as" && index > 0 {
      let next = words[(index + 1)...].first { !["not", "materialized"].contains($0) }
      guard next == "(" else { continue }
      var position = index - 1
      if words[position] == ")" {
        while position > 0, words[position] != "(" { position -= 1 }
        position -= 1
      }
      if position >= 0 { names.insert(words[position]) }
    }
    return names
  }

  /// Returns the lowercase words and the single symbols of a statement.
  ///
  /// Quoted names lose their quotes; strings and comments are omitted.
  static func tokenize(_ text: String) -> [String] {
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
