import Foundation

/// An inline picture for kitty and iTerm2: a PNG in base64 between escape codes, which the terminal scales to cells.
///
/// A PNG is a tenth of the size of raw pixels, which is noticeable over a slow connection.
struct InlinePNG {
  /// The maximum payload of a sequence in kitty, in base64 characters.
  ///
  /// A multiple of four, as required for all but the last.
  private static let chunk = 4096

  private let bytes: Data
  private let columns: Int
  private let rows: Int

  init(_ bytes: Data, columns: Int, rows: Int) {
    self.bytes = bytes
    self.columns = columns
    self.rows = rows
  }

  /// The picture in kitty's graphics protocol: all keys are in the first sequence, `m=1` while more follow, and `q=2`
  /// suppresses the reply, which would be read as keys.
  var kitty: String {
    let letters = Array(bytes.base64EncodedData())
    var text = ""
    for start in stride(from: 0, to: letters.count, by: InlinePNG.chunk) {
      let end = min(start + InlinePNG.chunk, letters.count)
      let keys = start == 0 ? "a=T,f=100,c=\(columns),r=\(rows),q=2" : "q=2"
      text += "\u{1B}_G\(keys),m=\(end < letters.count ? 1 : 0);"
      text += String(decoding: letters[start..<end], as: UTF8.self) + "\u{1B}\\"
    }
    return text
  }

  /// The picture as an inline image of iTerm2, WezTerm and mintty.
  ///
  /// The number of cells already has the right proportions.
  var iterm2: String {
    "\u{1B}]1337;File=inline=1;size=\(bytes.count);width=\(columns);height=\(rows);preserveAspectRatio=0:"
      + bytes.base64EncodedString() + "\u{7}"
  }
}
