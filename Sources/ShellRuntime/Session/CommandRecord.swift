import Catalog
import Platform

/// One command of this session with its result.
package struct CommandRecord: Hashable, Sendable {

  /// The number, counted from 1 as in `history session`.
  package var number: Int
  /// The line as typed, with aliases expanded, or `nil` if it may contain a secret.
  package var line: String?
  /// The command's own name.
  package var command: String
  package var code: ExitStatus
  /// The last HTTP status, or `nil` if no request was sent.
  package var status: Int?
  package var output: RecordedOutput
  /// The products that the command created.
  package var made: [Product.ID]
  /// A Boolean value that indicates that outliers were written after an explicit approval.
  package var isExtreme = false

  package init(
    number: Int, line: String? = nil, command: String, code: ExitStatus, status: Int? = nil, output: RecordedOutput,
    made: [Product.ID], isExtreme: Bool = false
  ) {
    self.number = number
    self.line = line
    self.command = command
    self.code = code
    self.status = status
    self.output = output
    self.made = made
    self.isExtreme = isExtreme
  }
}
