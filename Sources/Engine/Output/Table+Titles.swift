import Presentation
import Text

extension Table {
  /// The headings of both languages, each with the key of its column: for conditions that name a column as the table does.
  package var titles: [String: String] {
    var titles: [String: String] = [:]
    for column in columns {
      for title in [column.title.english.plain, column.title.korean.plain] where title != column.key {
        titles[title] = column.key
      }
    }
    return titles
  }
}
