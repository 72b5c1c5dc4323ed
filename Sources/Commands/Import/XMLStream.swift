import CExpat
import Foundation

/// Parses XML piece by piece with expat.
///
/// A document type is rejected, and with it every entity but the five of XML itself.
final class XMLStream {
  /// Called at the beginning of an element, with its name without a prefix and its attributes.
  var start: (_ name: String, _ attributes: [String: String]) -> Void = { _, _ in }
  var end: (_ name: String) -> Void = { _ in }
  var text: (_ text: UnsafeBufferPointer<UInt8>) -> Void = { _ in }
  /// A Boolean value that indicates that a handler needs no more of the document.
  var isStopped = false
  private(set) var isDamaged = false
  /// The number of elements so far.
  private(set) var elements = 0

  /// The maximum depth of elements, which a sheet doesn't reach by far.
  private static let maximumDepth = 64

  private let parser: XML_Parser?
  private var depth = 0

  init() {
    parser = XML_ParserCreate("UTF-8")
    guard let parser else {
      isDamaged = true
      return
    }
    XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
    XML_SetElementHandler(
      parser,
      { context, name, attributes in
        guard let stream = XMLStream.of(context), let name, !stream.isStopped else { return }
        stream.depth += 1
        stream.elements += 1
        if stream.depth > XMLStream.maximumDepth { return stream.stop() }
        var found: [String: String] = [:]
        var pair = attributes
        while let key = pair?[0], let value = pair?[1] {
          found[XMLStream.local(key)] = String(cString: value)
          pair = pair?.advanced(by: 2)
        }
        stream.start(XMLStream.local(name), found)
      },
      { context, name in
        guard let stream = XMLStream.of(context), let name, !stream.isStopped else { return }
        stream.depth -= 1
        stream.end(XMLStream.local(name))
      })
    XML_SetCharacterDataHandler(parser) { context, text, count in
      guard let stream = XMLStream.of(context), let text, !stream.isStopped else { return }
      text.withMemoryRebound(to: UInt8.self, capacity: Int(count)) {
        stream.text(UnsafeBufferPointer(start: $0, count: Int(count)))
      }
    }
    XML_SetStartDoctypeDeclHandler(parser) { context, _, _, _, _ in
      XMLStream.of(context)?.stop()
    }
  }

  deinit { if let parser { XML_ParserFree(parser) } }

  /// Parses a piece of the document, and returns whether more are wanted.
  func take(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let parser, !isDamaged else { return false }
    let code = bytes.withMemoryRebound(to: CChar.self) {
      XML_Parse(parser, $0.baseAddress, Int32($0.count), 0)
    }
    if code != XML_STATUS_OK { isDamaged = true }
    return !isDamaged && !isStopped
  }

  /// Ends the document, and returns whether it was complete.
  func finish() -> Bool {
    guard let parser, !isDamaged else { return false }
    return isStopped || XML_Parse(parser, nil, 0, 1) == XML_STATUS_OK
  }

  private func stop() {
    isDamaged = true
    XML_StopParser(parser, 0)
  }

  private static func of(_ context: UnsafeMutableRawPointer?) -> XMLStream? {
    context.map { Unmanaged<XMLStream>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Returns a name without its prefix.
  private static func local(_ name: UnsafePointer<CChar>) -> String {
    let name = String(cString: name)
    return name.lastIndex(of: ":").map { String(name[name.index(after: $0)...]) } ?? name
  }
}
