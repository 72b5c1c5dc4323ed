import Catalog
import Engine
import Foundation
import Language
import Marketplace
import Networking
import Platform
import Text

/// Requests as lines for a POSIX shell; a write that takes two calls is both of them.
package struct CurlLines {
  private let files: CurlFiles

  package init(_ files: CurlFiles) { self.files = files }

  /// The request as one command.
  ///
  /// - Throws: `TransportFailure` for an address that cannot be asked; `FileError` where a file for curl cannot be
  ///   written.
  package func line(for request: Request, to base: URL) throws -> String {
    try request.curl(to: base) { try files.path(of: $0, named: $1) }
  }

  /// What the change asks of that market, without the names that only our own log knows it by.
  ///
  /// - Throws: as `line`, and `MarketError` for what the edition or the login does not allow.
  package func lines(for change: Change, at market: Market) throws -> String {
    switch change {
    case .create(let draft): return try line(for: CreateProduct(draft, boundary: boundary).request(to: market), market)
    case .edit(let product, _, let to):
      let edit = EditProduct(product.id, to, pictures: to.pictures, current: product, boundary: boundary)
      return try line(for: edit.request(to: market), market)
    case .delete(let product): return try deletion(of: product.id, at: market)
    }
  }

  private func line(for request: Request, _ market: Market) throws -> String {
    try line(for: request, to: market.baseURL)
  }

  /// The first call's answer is the key of the second; without it the second is not made.
  private func deletion(of id: Product.ID, at market: Market) throws -> String {
    guard market.edition.deletesInTwoCalls else {
      return try line(for: DeleteProduct(id).request(to: market), market)
    }
    let variable = Credentials.ticketVariable
    let ticket = RequestDeletion(id)
    let asking = try ticket.request(to: market).curl(to: market.baseURL, .captured)
    let answer = ticket.placeholder(for: market.edition, token: CurlLines.stand)
    let deleting = try DeleteProduct(id, ticket: answer).request(to: market).curl(to: market.baseURL)
    return variable + "=$(" + asking + ") &&\n"
      + deleting.replacing("\"$\(variable)\"", with: "\"${\(variable)#\(ticket.prefix(for: market.edition))}\"")
  }

  /// curl makes its own.
  private var boundary: String { "boundary" }
  /// Stands where the key will stand; long enough to be nothing else.
  private static let stand = "openmarket-key-of-the-first-call"
}

/// Where curl finds the files of a form: the user's own when they are sent as they are, copies otherwise.
package struct CurlFiles: Sendable {
  private let candidates: [String]
  private let folder: String
  private let freshName: @Sendable () -> String

  /// - Parameters:
  ///   - candidates: paths that may hold the very bytes.
  ///   - folder: where copies are kept.
  package init(candidates: [String], folder: String, freshName: @escaping @Sendable () -> String) {
    self.candidates = candidates
    self.folder = folder
    self.freshName = freshName
  }

  /// Every file that the line names.
  package init(_ invocation: Invocation, _ context: Context) {
    let values = invocation.assignments.map(\.value) + invocation.arguments.values.flatMap { $0.map(\.text) }
    let paths = values.flatMap { $0.split(separator: ",").map { $0.trimmed } }.map { path in
      let plain = path.hasPrefix("@") ? String(path.dropFirst()) : path
      let full = Paths.expanded(plain, home: context.environment["HOME"])
      return full.hasPrefix("/") ? full : FileManager.default.currentDirectoryPath + "/" + full
    }
    self.init(candidates: paths, folder: context.home.cache + "/curl", freshName: context.freshName)
  }

  /// A file that holds these bytes.
  ///
  /// - Throws: `FileError` where none does and a copy cannot be written.
  package func path(of bytes: Data, named name: String) throws -> String {
    for path in candidates {
      if let found = try? Files.read(path), found == bytes { return path }
    }
    try Files.makeFolder(folder)
    let path = folder + "/" + freshName() + "-" + name
    try Files.write(bytes, to: path, mode: 0o600)
    return path
  }
}
