import CGlibc
import Catalog
import GRDB
import Glibc

/// The place of a journal, which identifies its file: a copy has the same content and another place.
extension Journal {
  /// Returns the place of the journal in a directory as text, or `nil` if it has no file.
  ///
  /// The place is the inode number and the birth time of the file, which stay the same when a home is renamed. Device numbers
  /// aren't part of it, because many change when the system starts.
  static func place(in directory: String) -> String? {
    let path = directory + "/journal.sqlite"
    var facts = stat()
    guard stat(path, &facts) == 0 else { return nil }
    return "\(facts.st_ino).\(openmarket_birth_time(path))"
  }

  /// Returns the numbers of the runs that were begun, or last taken over, in another file, because the home is a copy, or was
  /// moved to another disk or restored.
  ///
  /// Runs of an older version have no place, and are taken for runs of this file.
  ///
  /// - Throws: `JournalError` if the log can't be read.
  package func runsOfAnotherPlace(_ numbers: [Int]) throws(JournalError) -> [Int] {
    guard !numbers.isEmpty, let here = Journal.place(in: directory) else { return [] }
    return try read { database in
      try numbers.filter { number in
        let place = try String.fetchOne(
          database, sql: "SELECT s.place FROM run r JOIN session s ON s.id = r.session WHERE r.n = ?",
          arguments: [number])
        return place.map { $0 != here } ?? false
      }
    }
  }

  /// Returns the numbers of the runs that are in a handed over file, of this home or of another one.
  ///
  /// - Throws: `JournalError` if the log can't be read.
  package func handedOverRuns(_ numbers: [Int]) throws(JournalError) -> [Int] {
    guard !numbers.isEmpty else { return [] }
    return try read { database in
      try numbers.filter { number in
        try Bool.fetchOne(
          database,
          sql: "SELECT EXISTS(SELECT 1 FROM run r JOIN session s ON s.id = r.session WHERE r.n = ? AND s.place = ?)",
          arguments: [number, Journal.handoverPlace]) ?? false
      }
    }
  }
}
