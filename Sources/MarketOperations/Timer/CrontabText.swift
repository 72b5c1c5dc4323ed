/// The text of a user's crontab, in which our line is between two lines of ours.
///
/// Everything else stays as it is, byte for byte, whatever its encoding.
package struct CrontabText: Hashable, Sendable {
  package enum Fault: Error, Hashable, Sendable {
    /// The first of our lines is there without the second, or twice.
    case damaged
  }

  package let bytes: [UInt8]
  private let begin: String
  private let end: String

  /// Creates the text of a crontab.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - name: The name of the timer, which differs for each home folder.
  package init(_ bytes: [UInt8], timer name: String) {
    self.bytes = bytes
    begin = "# begin \(name) (openmarket: timer on; removed by: timer off)"
    end = "# end \(name)"
  }

  /// The lines with their line ends.
  private var lines: [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var start = bytes.startIndex
    while start < bytes.endIndex {
      let newline = bytes[start...].firstIndex(of: UInt8(ascii: "\n"))
      let next = newline.map { $0 + 1 } ?? bytes.endIndex
      lines.append(bytes[start..<next])
      start = next
    }
    return lines
  }

  private static func isLine(_ line: ArraySlice<UInt8>, _ text: String) -> Bool {
    line.elementsEqual((text + "\n").utf8) || line.elementsEqual(text.utf8)
  }

  /// Returns the indices of our lines, from the first to the last, or `nil` if they aren't there.
  ///
  /// - Throws: `Fault.damaged`.
  private func block(_ lines: [ArraySlice<UInt8>]) throws(Fault) -> ClosedRange<Int>? {
    let begins = lines.indices.filter { CrontabText.isLine(lines[$0], begin) }
    let ends = lines.indices.filter { CrontabText.isLine(lines[$0], end) }
    if begins.isEmpty, ends.isEmpty { return nil }
    guard begins.count == 1, ends.count == 1, begins[0] < ends[0], ends[0] - begins[0] <= 2 else { throw .damaged }
    return begins[0]...ends[0]
  }

  /// Returns our line, or `nil` if it isn't there.
  ///
  /// - Throws: `Fault.damaged`.
  package func line() throws(Fault) -> String? {
    let lines = lines
    guard let block = try block(lines), block.count == 3 else { return nil }
    let text = String(decoding: lines[block.lowerBound + 1], as: UTF8.self)
    return text.hasSuffix("\n") ? String(text.dropLast()) : text
  }

  /// The lines that are added for a line.
  package func block(of line: String) -> String { [begin, line, end].map { $0 + "\n" }.joined() }

  /// Returns the text with our line, which replaces an earlier one.
  ///
  /// - Throws: `Fault.damaged`.
  package func adding(_ line: String) throws(Fault) -> [UInt8] {
    var rest = try removing()
    if let last = rest.last, last != UInt8(ascii: "\n") { rest.append(UInt8(ascii: "\n")) }
    return rest + Array(block(of: line).utf8)
  }

  /// Returns the text without our lines.
  ///
  /// - Throws: `Fault.damaged`.
  package func removing() throws(Fault) -> [UInt8] {
    let lines = lines
    guard let block = try block(lines) else { return bytes }
    return (lines[..<block.lowerBound] + lines[(block.upperBound + 1)...]).flatMap { $0 }
  }
}
