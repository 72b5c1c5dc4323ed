/// The stable code of a message for programs, as `--errors json` prints it.
///
/// The Language article lists them; a code is never renamed and never gets another meaning. Texts may change.
package enum MessageCode: String, Hashable, Sendable, CaseIterable {
  // Messages that are no error.
  case note
  case success
  case warning
  /// Text that is shown beside messages, such as the preview of a change.
  case text

  // Exit status 1.
  /// The server refused the request.
  case refused
  case notFound = "not-found"
  case rateLimited = "rate-limited"
  /// The response isn't one of this API.
  case unreadableResponse = "unreadable-response"
  /// The list of products could not be read completely.
  case incompleteList = "incomplete-list"
  /// A result doesn't fit the limit of bytes.
  case tooLarge = "too-large"
  /// No state of the market is stored yet.
  case noSnapshot = "no-snapshot"
  case nothingToUndo = "nothing-to-undo"
  case cannotUndo = "cannot-undo"
  /// An error without a code of its own.
  case unexpected

  // Exit status 2.
  /// The line or an option could not be understood.
  case badLine = "bad-line"
  /// The arguments of a tool don't match its parameters.
  case badArguments = "bad-arguments"
  /// A file that the line names can't be used.
  case badFile = "bad-file"
  case badPicture = "bad-picture"
  case badPlan = "bad-plan"
  /// The edition of the API doesn't have the operation.
  case unsupported

  // Exit status 3.
  case unreachable

  // Exit status 4.
  /// A check of this program held the command back.
  case blocked
  case notConfirmed = "not-confirmed"
  case canceled
  case readOnly = "read-only"
  case notLoggedIn = "not-logged-in"
  case notOwner = "not-owner"
  case vendorUnknown = "vendor-unknown"
  case outlier
  case plainHTTP = "plain-http"
  case fileExists = "file-exists"
  case journalUnavailable = "journal-unavailable"
  /// Another program holds a lock.
  case busy
  case otherDestination = "other-destination"
  case notDue = "not-due"
  case expired
  /// A person has to confirm the plan of an agent.
  case needsPerson = "needs-person"
  /// The profile applies signed plans only, and this one has no valid signature.
  case needsSignature = "needs-signature"
  /// The signer of a plan is its maker.
  case needsSecondPerson = "needs-second-person"

  // Exit status 5 to 8, and interruptions.
  case outcomeUnknown = "outcome-unknown"
  case assertionFailed = "assertion-failed"
  case partialFailure = "partial-failure"
  case drift
  case interrupted
}
