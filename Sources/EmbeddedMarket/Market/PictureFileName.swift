/// Parses picture file names: the key and the extension.
enum PictureFileName {
  /// Returns the 32 hexadecimal digits of a file name such as `951468774f1a11eda200afcab21bff61_origin.jpg`; hyphens
  /// and case are ignored.
  static func key(in fileName: String) -> String? {
    let digits = fileName.lowercased().filter { $0 != "-" }.prefix(32)
    return digits.utf8.count == 32 && digits.allSatisfy(\.isHexDigit) ? String(digits) : nil
  }

  /// Returns the extension of a file including the period, or "" if there is none or it is not alphanumeric.
  static func fileExtension(of fileName: String) -> String {
    let file = fileName.split { $0 == "/" || $0 == "\\" }.last ?? ""
    guard let point = file.lastIndex(of: ".") else { return "" }
    let word = file[file.index(after: point)...]
    let isPlain =
      (1...5).contains(word.utf8.count)
      && word.utf8.allSatisfy { byte in
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
      }
    return isPlain ? "." + word : ""
  }
}
