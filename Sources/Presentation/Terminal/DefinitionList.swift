import Text

/// Titles followed by their values, long values wrapped in their column; on a narrow screen the values are below
/// the titles.
enum DefinitionList {
  /// A title and its sanitized values, each beginning on a line of its own.
  struct Entry {
    var title: String
    var values: [String]
    /// The hyperlink targets of the values, if the terminal supports links; `nil` for none.
    var addresses: [String?]

    init(_ title: String, _ values: [String], addresses: [String?] = []) {
      self.title = title
      self.values = values
      self.addresses = addresses
    }
  }

  /// The minimum width of a column of values; below it, lines of the full width are more readable.
  private static let minimumRoom = 8

  /// Returns the width available for a value with these titles, or `nil` for no limit.
  static func room(beside titles: [String], _ options: RenderOptions) -> Int? {
    guard let width = options.isTerminal ? options.lineWidth : nil else { return nil }
    let column = column(titles, options)
    return width - column >= minimumRoom ? width - column : width
  }

  private static func column(_ titles: [String], _ options: RenderOptions) -> Int {
    (titles.map { options.cells.of($0) }.max() ?? 0) + 2
  }

  static func lines(_ entries: [Entry], _ options: RenderOptions) -> [String] {
    let column = column(entries.map(\.title), options)
    guard let width = options.isTerminal ? options.lineWidth : nil else { return beside(entries, column, nil, options) }
    guard width - column >= minimumRoom else { return below(entries, width, options) }
    return beside(entries, column, width - column, options)
  }

  private static func beside(
    _ entries: [Entry], _ column: Int, _ room: Int?, _ options: RenderOptions
  ) -> [String] {
    entries.flatMap { entry in
      let title = Styling.paint(options.cells.aligned(entry.title, to: column), .dim, options)
      let filling = String(repeating: " ", count: column)
      return wrapped(entry, room, options).enumerated().map { ($0 == 0 ? title : filling) + $1 }
    }
  }

  private static func below(_ entries: [Entry], _ width: Int, _ options: RenderOptions) -> [String] {
    entries.flatMap { entry in
      let title = options.cells.truncated(entry.title, to: width, ellipsis: options.ellipsis)
      return [Styling.paint(title, .dim, options)] + wrapped(entry, width, options)
    }
  }

  private static func wrapped(_ entry: Entry, _ room: Int?, _ options: RenderOptions) -> [String] {
    entry.values.enumerated().flatMap { index, value in
      let lines = Styling.lines(StyledText(value), width: room, options)
      let address = index < entry.addresses.count ? entry.addresses[index] : nil
      return lines.map { Styling.link($0, to: address, options) }
    }
  }
}
