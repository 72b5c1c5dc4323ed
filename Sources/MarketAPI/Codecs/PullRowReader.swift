import Catalog
import Networking

/// Reads consecutive rows from JSON text in one pass.
struct PullRowReader: RowReader {
  typealias Failure = JSONPullParser.FastPathUnsupported

  var pull: JSONPullParser
  /// The requested members and their places; a caller may exchange it between two rows.
  var layout: RowLayout
  private var position = 0

  init(_ pull: JSONPullParser, _ layout: RowLayout) {
    self.pull = pull
    self.layout = layout
  }

  var parts: RowKeySet { layout.parts }
  var missingID: Failure { Failure() }

  mutating func beginRow() throws(Failure) {
    try pull.beginObject()
    position = 0
  }

  mutating func nextKey() throws(Failure) -> RowKey? {
    while let key = try layout.next(&pull, &position) {
      if parts.contains(key.part) { return key }
      try pull.skip()
    }
    return nil
  }

  mutating func int() throws(Failure) -> Int? { try pull.int() }

  mutating func string() throws(Failure) -> String? { try pull.string() }

  mutating func amount() throws(Failure) -> Amount? {
    try pull.number().map { Amount(units: $0.digits, exponent: $0.exponent) }
  }

  mutating func timestamp() throws(Failure) -> Timestamp? {
    try pull.unescapedBytes().flatMap { Timestamp(utf8: $0) }
  }

  mutating func pictures() throws(Failure) -> [Picture]? {
    if try pull.null() { return nil }
    var pictures: [Picture] = []
    try pull.beginArray()
    while try pull.nextElement() {
      var (id, url, thumbnail): (Int?, String?, String?)
      try pull.beginObject()
      while let key = try pull.nextKey() {
        switch key {
        case "id": id = try pull.int()
        case "url": url = try pull.string()
        case "thumbnail_url": thumbnail = try pull.string()
        default: try pull.skip()
        }
      }
      if let url { pictures.append(Picture(id: id, url: url, thumbnailURL: thumbnail)) }
    }
    return pictures
  }

  mutating func vendor() throws(Failure) -> (id: Int?, name: String?)? {
    if try pull.null() { return nil }
    var (id, name): (Int?, String?)
    try pull.beginObject()
    while let key = try pull.nextKey() {
      switch key {
      case "id": id = try pull.int()
      case "name": name = try pull.string()
      default: try pull.skip()
      }
    }
    return (id, name)
  }
}
