import Text

/// The destination of a command's data: `as json to FILE | program`.
package struct Clauses: Hashable, Sendable {
  package var format: OutputFormat?
  package var file: String?
  /// The clause `to -`: the data goes to the standard output, in the form for a file or a program.
  package var namesStandardOutput = false
  /// The clause `replace`: the file is overwritten even if another program wrote it.
  package var overwrites = false
  /// The clause `bom`: CSV begins with a byte order mark, which spreadsheets look for.
  package var includesBOM = false
  /// The command for `/bin/sh`: the user's text from the bar to the end of the line.
  package var pipe: String?
  /// A Boolean value that indicates whether the output goes to a file or a program instead of the user.
  package var isRedirected: Bool { file != nil || pipe != nil }

  /// Sets the destination of `to`, in which `-` is the standard output.
  package mutating func setDestination(_ name: String) {
    if name == "-" { namesStandardOutput = true } else { file = name }
  }

  /// A Boolean value that indicates an HTTP archive by its name, unless a format is given.
  package var isNamedHAR: Bool { format == nil && file?.lowercased().hasSuffix(".har") == true }

  package init(format: OutputFormat? = nil, file: String? = nil, pipe: String? = nil) {
    self.format = format
    self.file = file
    self.pipe = pipe
  }

  /// Rejects the file names of spreadsheet workbooks, which this program can't write.
  ///
  /// - Throws: `ParseError` with the supported formats, for such a file name.
  package static func refuseWorkbook(_ file: String, at range: Range<Int>? = nil) throws(ParseError) {
    guard let dot = file.lastIndex(of: "."),
      ["xlsx", "xls", "xlsm", "ods", "numbers"].contains(file[file.index(after: dot)...].lowercased())
    else { return }
    let ending = String(file[file.index(after: dot)...])
    throw ParseError(
      LocalizedText(
        "Unsupported file extension: \(.value(ending)). Use csv, tsv, json, jsonl, md or txt.",
        ko: "지원하지 않는 확장자입니다: \(.value(ending)). csv, tsv, json, jsonl, md, txt를 쓰세요."),
      suggestion: LocalizedText(
        "For Excel, use \(.command("to \(file[..<dot]).csv bom"))",
        ko: "엑셀에서는 \(.command("to \(file[..<dot]).csv bom"))"),
      at: range)
  }

  /// The error for `bom` with another format than CSV.
  package static let markOutsideCSV = ParseError(
    LocalizedText("\(.field("bom")) can only be used with CSV.", ko: "\(.field("bom"), .topic) CSV에만 쓸 수 있습니다."),
    suggestion: LocalizedText(
      "Add \(.command("as csv")), or use a file name that ends in .csv",
      ko: "\(.command("as csv"))나 .csv로 끝나는 파일과 함께 씁니다."))
}
