import GRDB

extension Database {
  /// Returns the rows of a query that mostly finds none.
  ///
  /// For each query GRDB makes a dictionary of the names of its columns, which takes several times as long as a search by
  /// an index that finds nothing. This one first asks whether there is a row.
  package func rareRows(_ sql: String, _ arguments: StatementArguments) throws -> [Row] {
    let exists = try Bool.fetchOne(cachedStatement(sql: "SELECT EXISTS(\(sql))"), arguments: arguments)
    guard exists == true else { return [] }
    return try Row.fetchAll(cachedStatement(sql: sql), arguments: arguments)
  }
}
