import Catalog
import GRDB

extension Journal {
  /// Returns rows without an id with other numbers, if products of rows that are equal to them are named by their ids.
  ///
  /// Once the id of a new product is in the file, its row isn't among those that are counted. An equal row that was added
  /// since has the next number.
  ///
  /// - Parameters:
  ///   - sources: The rows without an id of one plan, file or folder.
  ///   - named: The products that its other rows name by their ids.
  ///   - binding: The market and login.
  /// - Throws: `JournalError` if the log can't be read.
  package func numbered(
    _ sources: [CreateSource], besides named: Set<Product.ID>, _ binding: MarketLogin
  ) throws(JournalError) -> [CreateSource] {
    guard !named.isEmpty else { return sources }
    return try read { database in
      var next: [String: Int] = [:]
      return try sources.map { source in
        var numbered = source
        var number = next[source.content, default: 0]
        repeat {
          numbered.part = "\(source.content)#\(number)"
          number += 1
        } while try isNamed(numbered, named, binding, database)
        next[source.content] = number
        return numbered
      }
    }
  }

  /// Returns whether a row created products, all of which are named by their ids.
  private func isNamed(
    _ source: CreateSource, _ named: Set<Product.ID>, _ binding: MarketLogin, _ database: Database
  ) throws -> Bool {
    guard try create(of: source, binding, database) != nil else { return false }
    return try create(of: source, besides: named, binding, database) == nil
  }

  /// Returns the products that an earlier execution of the same plan, file or folder created, by the rows it made them from.
  ///
  /// A create that was undone, and one whose product this home has deleted since, don't count, because the user reverted
  /// them. Whether the product still exists isn't known.
  ///
  /// - Parameters:
  ///   - sources: The rows without an id of one plan, file or folder.
  ///   - named: The products that its other rows name by their ids, which are left out.
  ///   - binding: The market and login.
  /// - Throws: `JournalError` if the log can't be read.
  package func creates(
    of sources: [CreateSource], besides named: Set<Product.ID> = [], _ binding: MarketLogin
  ) throws(JournalError) -> [CreateSource: EarlierWrite] {
    try read { database in
      var made: [CreateSource: EarlierWrite] = [:]
      for source in sources { made[source] = try create(of: source, besides: named, binding, database) }
      return made
    }
  }

  /// Returns the products of rows that are equal to some of these and aren't among them any more, by the content of the rows.
  ///
  /// Equal rows are numbered. If one of them was taken out of a file, the products of the last ones have no row.
  ///
  /// - Parameters:
  ///   - sources: The rows without an id of one plan, file or folder.
  ///   - named: The products that its other rows name by their ids, which are left out.
  ///   - binding: The market and login.
  /// - Throws: `JournalError` if the log can't be read.
  package func createsOfRemovedRows(
    equalTo sources: [CreateSource], besides named: Set<Product.ID> = [], _ binding: MarketLogin
  ) throws(JournalError) -> [String: [EarlierWrite]] {
    guard let name = sources.first?.name else { return [:] }
    let (contents, own) = (Set(sources.map(\.content)), Set(sources))
    return try read { database in
      let parts = try String.fetchAll(
        database,
        sql: """
          SELECT DISTINCT part FROM op WHERE source = ? AND base_url = ? AND vendor = ? AND kind = \(sqlList(.create))
            AND part NOT LIKE '%#0'
          """, arguments: [name, binding.baseURL, binding.vendor])
      var removed: [String: [EarlierWrite]] = [:]
      for source in parts.map({ CreateSource(name: name, part: $0) }) {
        guard contents.contains(source.content), !own.contains(source),
          let write = try create(of: source, besides: named, binding, database)
        else { continue }
        removed[source.content, default: []].append(write)
      }
      return removed
    }
  }

  /// Returns the newest product that was created from each place of a source, whatever its content was then.
  ///
  /// - Parameters:
  ///   - source: The name of the source.
  ///   - parts: The beginnings of the parts, up to the content.
  ///   - binding: The market and login.
  /// - Throws: `JournalError` if the log can't be read.
  package func creates(
    ofSource source: String, parts: [String], _ binding: MarketLogin
  ) throws(JournalError) -> [EarlierWrite?] {
    try read { database in
      let known = try String.fetchAll(
        database,
        sql: """
          SELECT part FROM op WHERE source = ? AND base_url = ? AND vendor = ? AND kind = \(sqlList(.create))
            AND state IN (\(quoted(.done, .acknowledged))) ORDER BY n DESC
          """, arguments: [source, binding.baseURL, binding.vendor])
      return try parts.map { part in
        for known in known where known.hasPrefix(part) {
          if let write = try create(of: CreateSource(name: source, part: known), binding, database) { return write }
        }
        return nil
      }
    }
  }

  func create(
    of source: CreateSource, besides named: Set<Product.ID> = [], _ binding: MarketLogin, _ database: Database
  ) throws -> EarlierWrite? {
    let rows = try Row.fetchCursor(
      database.cachedStatement(
        sql: """
          SELECT o.* FROM op o WHERE source = ? AND part = ? AND base_url = ? AND vendor = ?
            AND kind = \(sqlList(.create)) AND undo_of IS NULL AND state IN (\(quoted(.done, .acknowledged)))
            AND product IS NOT NULL AND NOT EXISTS(SELECT 1 FROM op u WHERE u.n = o.undone_by AND u.undone_by IS NULL)
            ORDER BY n
          """), arguments: [source.name, source.part, binding.baseURL, binding.vendor])
    while let row = try rows.next() {
      guard RowChecksum.isValid(row) else { continue }
      let product = try identity(of: row["product"], binding, database)
      if try named.contains(product) || isDeleted(product, at: binding, database) { continue }
      return EarlierWrite(
        entry: row["n"], product: product, reason: source.name.hasPrefix("plan ") ? .plan : .file,
        reference: try reference(ofCreated: product, binding, database))
    }
    return nil
  }

  /// Returns what the product of a write was, or `nil` if that isn't known.
  ///
  /// - Throws: `JournalError` if the log can't be read.
  package func reference(
    to id: Product.ID, writtenBy entry: JournalEntry, _ binding: MarketLogin
  ) throws(JournalError) -> ProductReference? {
    guard case .edit(let planned, _, _)? = entry.change, entry.product ?? planned.id == id else {
      return try reference(ofCreated: id, binding)
    }
    return ProductReference(entry.snapshot ?? planned).named(entry.after?.name)
  }

  /// Returns what a product was when this home created it, or `nil` if it didn't or that wasn't recorded.
  ///
  /// - Throws: `JournalError` if the log can't be read.
  func reference(ofCreated product: Product.ID, _ binding: MarketLogin) throws(JournalError) -> ProductReference? {
    try read { try reference(ofCreated: product, binding, $0) }
  }

  private func reference(
    ofCreated product: Product.ID, _ binding: MarketLogin, _ database: Database
  ) throws -> ProductReference? {
    let text = try String.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT reference FROM op WHERE product = ? AND base_url = ? AND state IN (\(quoted(.done, .acknowledged)))
            AND kind = \(sqlList(.create)) AND reference IS NOT NULL ORDER BY n DESC LIMIT 1
          """), arguments: [product, binding.baseURL])
    return JSONColumn.decode(StoredProduct.self, text).map { ProductReference($0.product) }
  }

  /// Returns whether this home deleted the product and didn't undo that.
  private func isDeleted(_ id: Product.ID, at binding: MarketLogin, _ database: Database) throws -> Bool {
    try Bool.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT EXISTS(SELECT 1 FROM op d WHERE product = ? AND base_url = ? AND state = \(quoted(.done))
            AND kind = \(sqlList(.delete)) AND \(Journal.isOfThisHome("d"))
            AND NOT EXISTS(SELECT 1 FROM op u WHERE u.n = d.undone_by AND u.undone_by IS NULL))
          """), arguments: [id, binding.baseURL]) ?? false
  }

  /// Returns the newest delete of each of these products by this home that was made or may have been made, and that wasn't
  /// undone.
  ///
  /// - Throws: `JournalError` if the log can't be read.
  package func deletes(of products: [Product.ID], _ binding: MarketLogin) throws(JournalError) -> [JournalEntry] {
    try read { database in
      let states = WriteStateMachine.State.inDoubt + [.needsDecision, .done]
      return try products.compactMap { id in
        try Row.fetchOne(
          database.cachedStatement(
            sql: Journal.select + """
               WHERE o.product = ? AND o.base_url = ? AND o.kind = \(sqlList(.delete)) AND o.state IN (\(quoted(states)))
                AND NOT EXISTS(SELECT 1 FROM op u WHERE u.n = o.undone_by AND u.undone_by IS NULL) ORDER BY o.n DESC LIMIT 1
              """), arguments: [id, binding.baseURL]
        ).flatMap(entry)
      }
    }
  }

  /// Returns the number of the newest entry, or 0 if there is none.
  ///
  /// - Throws: `JournalError` if the log can't be read.
  package func newestEntry() throws(JournalError) -> Int {
    try read { try Int.fetchOne($0, sql: "SELECT max(n) FROM op") ?? 0 }
  }

  /// Returns whether a line or `resume` made an edit of a product from a row of a source, even if it was undone since.
  ///
  /// - Parameters:
  ///   - product: The product.
  ///   - source: The row.
  ///   - newest: The number of the newest entry before the edit was planned.
  ///   - binding: The market and login.
  /// - Throws: `JournalError` if the log can't be read.
  package func hasMadeEdit(
    of product: Product.ID, from source: CreateSource, after newest: Int, _ binding: MarketLogin
  ) throws(JournalError) -> Bool {
    try read { database in
      let rows = try Row.fetchAll(
        database.cachedStatement(
          sql: """
            SELECT * FROM op WHERE source = ? AND part = ? AND base_url = ? AND vendor = ? AND product = ? AND n > ?
              AND kind = \(sqlList(.patch)) AND undo_of IS NULL AND state IN (\(quoted(.done, .acknowledged)))
            """), arguments: [source.name, source.part, binding.baseURL, binding.vendor, product, newest])
      return rows.contains(where: RowChecksum.isValid)
    }
  }

  /// Returns the entries of a plan, file or sale with an unknown outcome that no live session owns.
  func inDoubt(ofSource source: String, _ binding: MarketLogin) throws(JournalError) -> [Int] {
    try read { database in
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT n, session, attended FROM op WHERE base_url = ? AND vendor = ? AND source = ?
            AND state IN (\(quoted(WriteStateMachine.State.inDoubt))) ORDER BY n
          """, arguments: [binding.baseURL, binding.vendor, source])
      return rows.filter(isUnowned).map { $0["n"] }
    }
  }

  /// Discards the writes of a source that were never sent or were proven not applied, because the source plans them again
  /// from what is read, and `resume` must not make them later.
  ///
  /// - Throws: `JournalError` if the log can't be changed.
  package func discardUnsent(ofSource source: String, _ binding: MarketLogin) throws(JournalError) {
    try write(durable: false) { database in
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT * FROM op WHERE source = ? AND base_url = ? AND vendor = ? AND undo_of IS NULL
            AND state IN (\(quoted(WriteStateMachine.State.unfinished)))
          """, arguments: [source, binding.baseURL, binding.vendor])
      for row in rows where isUnowned(row) { try discard(row, because: .plannedAgain, database) }
    }
  }

  /// Returns the plans, files and sales that entries come from, without those of lines.
  ///
  /// - Throws: `JournalError` if the log can't be read.
  package func sources(of entries: [Int]) throws(JournalError) -> [Int: String] {
    try read { database in
      var sources: [Int: String] = [:]
      for entry in entries {
        sources[entry] = try String.fetchOne(
          database.cachedStatement(sql: "SELECT source FROM op WHERE n = ? AND source IS NOT NULL"), arguments: [entry])
      }
      return sources
    }
  }

  /// Discards writes that were never sent or were proven not applied, and that are no longer wanted.
  ///
  /// - Throws: `JournalError` if the log can't be changed.
  package func discardUnsent(_ entries: [Int], because reason: Evidence) throws(JournalError) {
    guard !entries.isEmpty else { return }
    try write(durable: true) { database in
      for entry in entries {
        let row = try Row.fetchOne(
          database,
          sql: "SELECT * FROM op WHERE n = ? AND state IN (\(quoted(WriteStateMachine.State.unfinished)))",
          arguments: [entry])
        if let row, isUnowned(row) { try discard(row, because: reason, database) }
      }
    }
  }
}

extension Change {
  var draft: ProductDraft? {
    guard case .create(let draft) = self else { return nil }
    return draft
  }
}
