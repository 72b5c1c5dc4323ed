extension FlatCell {
  /// The text of the cell, guarded if a spreadsheet would evaluate it.
  ///
  /// Numbers and times are never guarded.
  var guarded: String { isText ? CSVInjection.escape(text) : text }
}
